/** What a label's code may mean. */
export const SCAN_KINDS = ['item', 'location', 'spool', 'print_job', 'order', 'model'] as const
export type ScanKind = (typeof SCAN_KINDS)[number]

/** Longer than any code, SKU or order number, and than the address of a label with it. */
export const SCANNED_MAX_LENGTH = 300

/** The last group of an id, whose bits are random: enough to name one among a million. */
const tailOf = (id: string): string => id.slice(-12).toUpperCase()

/** Code of an order's label: `O-9F2C41D0A7B3`. Orders bear the shop's number, which may hold what no code can. */
export const orderCode = (id: string): string => `O-${tailOf(id)}`

/** Code of a model's label: `M-9F2C41D0A7B3`. */
export const modelCode = (id: string): string => `M-${tailOf(id)}`

/** Hosts that mean something else on every machine. */
const NO_REAL_HOST = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/i

/**
 * What the QR code of a label says: the address that opens the thing, in capitals, since a QR code packs capitals
 * tighter and so has fewer and larger modules. Where the product has no address that a phone could reach, the bare code.
 */
export function labelPayload(code: string, publicUrl: string): string {
  const address = URL.parse(publicUrl)
  if (!address || NO_REAL_HOST.test(address.hostname)) return code.toUpperCase()
  // A folder in front of ours may be written in small letters and found by those alone.
  const folder = address.pathname.replace(/\/+$/, '')
  return `${address.protocol}//${address.host}`.toUpperCase() + `${folder}/S/${code.toUpperCase()}`
}

const LABEL_ADDRESS = /^https?:\/\/[^?#]*\/s\/([^/?#]+)\/?(?:[?#].*)?$/i

/**
 * The code in what a scanner read, a finger typed or a phone copied: the last part of a label's address, else the text
 * itself without blanks around it and without the control characters that scanners send before and after. Its case is
 * kept, since SKUs and order numbers are shown as they were typed; nothing compares by it.
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
