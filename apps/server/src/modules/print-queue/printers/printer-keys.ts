import type { RootSecret } from '../../../platform/root-secret.ts'

/**
 * Encrypts and decrypts the API keys of printers. An encrypted key is bound to its printer and cannot be decrypted for
 * another one.
 */
export interface PrinterKeys {
  seal(printerId: string, key: string): string
  /** Returns the decrypted key, or null if the printer has none. Throws SealError if the stored value was changed. */
  open(printer: { id: string; api_key_sealed: string | null }): string | null
}

const purposeOf = (printerId: string): string => `printers/${printerId}`

export const createPrinterKeys = (root: RootSecret): PrinterKeys => ({
  seal: (printerId, key) => root.seal(purposeOf(printerId), key),
  open: ({ id, api_key_sealed: sealed }) =>
    sealed === null ? null : root.open(purposeOf(id), sealed).toString('utf8'),
})
