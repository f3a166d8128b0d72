/** Requirement on the bytes under an extension. */
export interface Signature {
  /** Accepted results of the library. */
  readonly accepted: ReadonlySet<string>;
  /**
   * True if bytes of an unknown format are refused. False if some files of the format have no known
   * signature, or if the extension is also used for text: then only bytes of another known format
   * are refused.
   */
  readonly required: boolean;
}

/** Null if the extension's format has no signature. */
export function signatureOf(extension: string): Signature | null {
  return signatures.get(extension) ?? null;
}

/** Any Office document becomes this one format when it is encrypted with a password. */
export const encryptedOffice = 'encrypted-office';

const word = ['docx', 'docm', 'dotx', 'dotm', encryptedOffice];
const excel = ['xlsx', 'xlsm', 'xltx', 'xltm', encryptedOffice];
const powerPoint = ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm', encryptedOffice];
const openDocument = ['odt', 'ott', 'ods', 'ots', 'odp', 'otp', 'odg', 'otg'];
const iWork = ['pages', 'numbers', 'key'];
const packages = ['jar', 'apk', 'xpi'];
const zip = ['zip', 'epub', 'vsdx', '3mf', ...packages, ...iWork, ...openDocument].concat(
  [...word, ...excel, ...powerPoint].filter((name) => name !== encryptedOffice),
);
const gzip = ['gz', 'tar.gz'];
const tiff = ['tif', 'dng', 'nef', 'arw', 'cr2', 'rw2', 'orf'];
const heif = ['heic', 'avif'];
const jpeg2000 = ['jp2', 'jpx', 'jpm', 'mj2'];
/** One container format; the choice of extension is custom more than content. */
const mpeg4 = ['mp4', 'm4a', 'm4b', 'm4p', 'm4v', 'f4a', 'f4b', 'f4p', 'f4v', 'mov', '3gp', '3g2'];
const mpegAudio = ['mp3', 'mp2', 'mp1'];
const mpegVideo = ['mpg', 'mts'];
const ogg = ['ogg', 'oga', 'ogv', 'ogx', 'ogm', 'opus', 'spx'];
const matroska = ['mkv', 'webm'];

/** Without a list, the detected format must be the extension itself. */
type Entry = readonly [extensions: string, accepted?: readonly string[]];

const required: readonly Entry[] = [
  // Documents.
  ['pdf'],
  ['rtf'],
  ['epub'],
  ['docx docm dotx dotm', word],
  ['xlsx xlsm xltx xltm', excel],
  ['pptx pptm potx potm ppsx ppsm', powerPoint],
  // Variants that the library takes for a plain zip.
  ['xlsb xlam', ['zip', ...excel]],
  ['ppam thmx sldx sldm', ['zip', ...powerPoint]],
  ['vsdx vsdm vstx vssx', ['zip', 'vsdx', encryptedOffice]],
  // Before 2007: compound files.
  ['doc xls xlt xla ppt pps vsd vss vst mpp msi', ['cfb']],
  ['odt ott', ['odt', 'ott']],
  ['ods ots', ['ods', 'ots']],
  ['odp otp', ['odp', 'otp']],
  ['odg otg', ['odg', 'otg']],
  ['odf odb odc odi odm sxw sxc sxi', ['zip', ...openDocument]],
  ['pages numbers', ['zip', ...iWork]],
  ['indd chm'],
  // Images.
  ['png apng', ['png', 'apng']],
  ['jpg jpeg jpe jfif', ['jpg']],
  ['gif webp bmp psd icns xcf jxl bpg flif jls cr3 raf indd dwg icc'],
  ['dib', ['bmp']],
  ['psb', ['psd']],
  ['icm', ['icc']],
  ['jxr wdp hdp', ['jxr']],
  ['tif tiff dng nef arw cr2', tiff],
  ['heic heif hif avif', heif],
  ['jp2 jpx jpf jpm mj2', jpeg2000],
  ['j2k j2c jpc', ['j2c']],
  ['ico cur', ['ico', 'cur']],
  ['eps epsf', ['eps', 'ps']],
  // Sound and film.
  ['mp3 mpga mp2 mp1 mpa', mpegAudio],
  ['wav wave', ['wav']],
  ['flac amr ape wv mpc dsf dff caf voc'],
  ['aif aiff aifc', ['aif']],
  ['mid midi kar', ['mid']],
  ['ogg oga ogv ogx ogm opus spx', ogg],
  ['mp4 m4a m4b m4p m4v f4a f4b f4p f4v mov qt 3gp 3gpp 3g2', mpeg4],
  ['mkv mka mks mk3d webm', matroska],
  ['avi flv swf'],
  ['wmv wma asf', ['asf']],
  ['rmvb', ['rm']],
  // Archives.
  ['zip zipx jar war ear apk aar ipa xpi nupkg whl kmz cbz 3mf usdz xps oxps appx', zip],
  ['gz gzip tgz taz svgz', gzip],
  ['bz2 tbz tbz2 tb2', ['bz2']],
  ['xz txz', ['xz']],
  ['tar 7z rar lz cab deb rpm arj ace crx'],
  ['lzh lha', ['lzh']],
  ['z', ['Z']],
  // Programs, fonts and data.
  ['exe dll ocx', ['exe']],
  ['class wasm elf lnk ttc avro parquet arrow glb'],
  ['dylib', ['macho']],
  ['sqlite sqlite3', ['sqlite']],
  ['pst ost', ['pst']],
];

const notRequired: readonly Entry[] = [
  // Also extensions of text: Graphviz, gettext, TypeScript, linker scripts, AutoCAD scripts.
  ['dot pot msg', ['cfb']],
  ['ts', mpegVideo],
  ['so o ko a', ['elf', 'macho', 'ar']],
  ['scr', ['exe']],
  // Some variants have other signatures, or none at their beginning.
  ['mpg mpeg m2ts mts vob', mpegVideo],
  ['aac', ['aac', ...mpeg4]],
  ['ac3 mxf dcm iso zst lz4 cpio mobi ktx drc eot fbx pcap rw2 orf skp shp'],
  ['blend', ['blend', 'gz', 'zst']],
  ['tzst', ['zst']],
  ['ttf otf', ['ttf', 'otf', 'ttc']],
  ['woff woff2', ['woff', 'woff2']],
];

const signatures = new Map<string, Signature>([
  ...required.flatMap((entry) => signaturesOf(entry, true)),
  ...notRequired.flatMap((entry) => signaturesOf(entry, false)),
]);

function signaturesOf(
  [extensions, accepted]: Entry,
  isRequired: boolean,
): readonly (readonly [string, Signature])[] {
  return extensions.split(' ').map((extension) => {
    const signature = { accepted: new Set(accepted ?? [extension]), required: isRequired };
    return [extension, signature];
  });
}
