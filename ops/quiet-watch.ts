/**
 * Loaded by `npm run dev`. In watch mode Node has every thread report the files that it imports, as messages to the
 * thread that started it. The program's threads expect no messages but its own; folders are watched instead.
 */
delete process.env.WATCH_REPORT_DEPENDENCIES;
