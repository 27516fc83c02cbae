/** Kinds of objects that a label code can name. */
export const SCAN_KINDS = ['item', 'location', 'spool', 'print_job', 'order', 'model', 'printer'] as const
export type ScanKind = (typeof SCAN_KINDS)[number]

/** Maximum length of a scanned text. Every code, SKU, order number and label address is shorter. */
export const SCANNED_MAX_LENGTH = 300

/**
 * Returns the last twelve hexadecimal digits of an id (a UUID), in capitals. They are random, and enough to distinguish
 * a million objects.
 */
const tailOf = (id: string): string => id.slice(-12).toUpperCase()

/**
 * Returns the code of an order's label, such as `O-9F2C41D0A7B3`. The shop's order number is not used,
 * because it may contain characters that a code cannot contain.
 */
export const orderCode = (id: string): string => `O-${tailOf(id)}`

/** Returns the code of a model's label, such as `M-9F2C41D0A7B3`. */
export const modelCode = (id: string): string => `M-${tailOf(id)}`

/** Matches host names such as `localhost`, with which every device means itself. */
const NO_REAL_HOST = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/i

/**
 * Returns whether other devices can open an address, which is not the case for `localhost`. False for a malformed
 * address.
 */
export function hasReachableHost(publicUrl: string): boolean {
  const address = URL.parse(publicUrl)
  return address !== null && !NO_REAL_HOST.test(address.hostname)
}

/**
 * Returns the content of a label's QR code, which is the address that opens the object. The address is in
 * capitals, because a QR code encodes capitals in fewer and therefore larger modules. If phones cannot reach
 * the server's address, the content is only the code.
 */
export function labelPayload(code: string, publicUrl: string): string {
  const address = URL.parse(publicUrl)
  if (!address || !hasReachableHost(publicUrl)) return code.toUpperCase()
  // The path before `/S/` keeps its case, because it belongs to a proxy that may be case-sensitive.
  const folder = address.pathname.replace(/\/+$/, '')
  return `${address.protocol}//${address.host}`.toUpperCase() + `${folder}/S/${code.toUpperCase()}`
}

const LABEL_ADDRESS = /^https?:\/\/[^?#]*\/s\/([^/?#]+)\/?(?:[?#].*)?$/i

/**
 * Returns the code in a scanned, typed or copied text. It is the last part of a label's address, otherwise
 * the trimmed text without the control characters that scanners send before and after it. The code keeps its
 * case, because SKUs and order numbers are shown as typed. Comparisons ignore case.
 */
export function readScannedCode(text: string): string {
  // oxlint-disable-next-line no-control-regex -- scanners can be set to send control characters around the text
  const plain = text.replace(/[\u0000-\u001F\u007F]/g, '').trim()
  const [, code] = LABEL_ADDRESS.exec(plain) ?? []
  if (code === undefined) return plain
  try {
    return decodeURIComponent(code).trim()
  } catch {
    return code
  }
}

/** Number of digits in a label code, by its prefix. People omit leading zeros when they type. */
const DIGITS: Readonly<Record<string, number>> = { I: 5, J: 5, L: 4, P: 3, S: 4 }

/**
 * Converts a label code to its normal form: `i-42` becomes `I-00042`. Other texts are only converted to
 * capitals.
 */
export function canonicalCode(text: string): string {
  const code = text.toUpperCase()
  const [, prefix = '', digits = ''] = /^([IJLPS])-0*(\d{1,18})$/.exec(code) ?? []
  return prefix === '' ? code : `${prefix}-${digits.padStart(DIGITS[prefix] ?? 0, '0')}`
}
