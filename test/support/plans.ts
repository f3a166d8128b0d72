import type pg from 'pg';

/** The plan of one executed statement, as auto_explain reports it. */
export interface Plan {
  readonly query: string;
  /** True if PostgreSQL compiled the statement to machine code. */
  readonly compiled: boolean;
}

/**
 * Adds settings to the URL: PostgreSQL compiles every statement that it can, and sends all plans to the
 * client, those of nested statements included. Needs a superuser.
 */
export function withPlans(url: string): string {
  const settings = {
    jit: 'on',
    jit_above_cost: '0',
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const explained = new URL(url);
  explained.searchParams.set('options', options.join(' '));
  return explained.href;
}

/** Collects the plans of all statements on the pool's connections from now on. */
export function collectPlans(pool: pg.Pool): readonly Plan[] {
  const plans: Plan[] = [];
  pool.on('connect', (client) =>
    client.on('notice', ({ message = '' }) => {
      const json = /^duration: .* plan:\n(.*)$/s.exec(message)?.[1];
      if (json === undefined) return;
      const plan = JSON.parse(json);
      plans.push({ query: plan['Query Text'], compiled: 'JIT' in plan });
    }),
  );
  return plans;
}
