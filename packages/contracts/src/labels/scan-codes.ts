/** Kinds of objects that a label code can name. */
export const SCAN_KINDS = ['item', 'location', 'spool', 'print_job', 'order', 'model', 'printer'] as const
export type ScanKind = (typeof SCAN_KINDS)[number]

/** Longer than any code, SKU, order number or label address. */
export const SCANNED_MAX_LENGTH = 300

/** The last group of an id. Its bits are random, which is enough to tell a million objects apart. */
const tailOf = (id: string): string => id.slice(-12).toUpperCase()

/** Code of an order's label: `O-9F2C41D0A7B3`. The shop's order number is not used, because it may contain characters that a code cannot. */
export const orderCode = (id: string): string => `O-${tailOf(id)}`

/** Code of a model's label: `M-9F2C41D0A7B3`. */
export const modelCode = (id: string): string => `M-${tailOf(id)}`

/** Hosts that mean a different machine everywhere. */
const NO_REAL_HOST = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/i

/**
 * Content of a label's QR code: the address that opens the object. It is in capitals, because a QR code encodes capitals
 * in fewer and so larger modules. If phones cannot reach the server's address, it is the bare code.
 */
export function labelPayload(code: string, publicUrl: string): string {
  const address = URL.parse(publicUrl)
  if (!address || NO_REAL_HOST.test(address.hostname)) return code.toUpperCase()
  // The path before `/S/` belongs to a proxy, which may be case-sensitive.
  const folder = address.pathname.replace(/\/+$/, '')
  return `${address.protocol}//${address.host}`.toUpperCase() + `${folder}/S/${code.toUpperCase()}`
}

const LABEL_ADDRESS = /^https?:\/\/[^?#]*\/s\/([^/?#]+)\/?(?:[?#].*)?$/i

/**
 * The code in a scanned, typed or copied text: the last part of a label's address, else the trimmed text without the
 * control characters that scanners send before and after it. It keeps its case, because SKUs and order numbers are shown
 * as typed. Comparisons ignore case.
 */
export function readScannedCode(text: string): string {
  // oxlint-disable-next-line no-control-regex -- scanners can be set to frame what they type by them
  const plain = text.replace(/[\u0000-\u001F\u007F]/g, '').trim()
  const [, code] = LABEL_ADDRESS.exec(plain) ?? []
  if (code === undefined) return plain
  try {
    return decodeURIComponent(code).trim()
  } catch {
    return code
  }
}
