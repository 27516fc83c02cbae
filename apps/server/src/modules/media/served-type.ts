/** The response headers that depend on the declared type of a file. */
export interface ServedType {
  contentType: string
  /** Whether a browser may show or play the file. Any other file is sent as a download. */
  isShown: boolean
}

const DOWNLOAD = 'application/octet-stream'

/** Types that a browser can show or play without running code. All other types are sent as downloads. */
const SHOWN = /^(image\/(jpeg|png|gif|webp|avif|bmp)|(video|audio)\/[a-z0-9.-]+|text\/(plain|csv))$/

/**
 * Types that no browser runs as a page, script, style or module. SVG, XML and WebAssembly are missing,
 * because they can contain code or change how a page of this origin works.
 */
const PASSIVE = new RegExp(
  `^(${[
    'image/(tiff|heic|heif|x-icon|vnd\\.microsoft\\.icon)',
    '(font|model)/[a-z0-9.-]+(\\+(json|zip))?',
    'text/(markdown|vtt|tab-separated-values|x-gcode|x\\.gcode)',
    'application/(json|pdf|rtf|msword|epub\\+zip|sla)',
    'application/(zip|gzip|x-gzip|x-tar|x-bzip2|x-xz|zstd|x-7z-compressed|vnd\\.rar|x-rar-compressed|x-zip-compressed)',
    'application/vnd\\.(ms-(excel|powerpoint|pki\\.stl|3mfdocument|package\\.3dmanufacturing-3dmodel))',
    'application/vnd\\.(openxmlformats-officedocument|oasis\\.opendocument)\\.[a-z0-9.-]+',
  ].join('|')})$`,
)

const ESSENCE = /^[a-z0-9.+_-]+\/[a-z0-9.+_-]+$/
const CHARSET = /;\s*charset="?(utf-8|utf-16(?:le|be)?|us-ascii|iso-8859-\d{1,2}|windows-125\d)"?\s*(?:;|$)/

/** Returns the essence of a type such as `image/png; charset=…`: without parameters, in lower case. */
export const essenceOf = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase()

/**
 * Returns how to send a file of this declared type. Only the essence and a known charset of the declared type are sent.
 * A file whose type is not known to be passive is sent as a download of plain bytes. A list of dangerous types would
 * not be enough: browsers accept more script types than any list contains (`text/javascript1.5`), and read a comma as
 * the start of another type.
 */
export function servedTypeOf(declared: string): ServedType {
  const essence = essenceOf(declared)
  const isShown = SHOWN.test(essence)
  if (!ESSENCE.test(essence) || !(isShown || PASSIVE.test(essence)))
    return { contentType: DOWNLOAD, isShown: false }
  const charset = essence.startsWith('text/') ? CHARSET.exec(declared.toLowerCase())?.[1] : undefined
  return { contentType: charset === undefined ? essence : `${essence}; charset=${charset}`, isShown }
}
