import type { RootSecret } from '../../../platform/root-secret.ts'

/** The keys of printers, stored encrypted. Each is bound to its own printer and cannot be decrypted in another row. */
export interface PrinterKeys {
  seal(printerId: string, key: string): string
  /** Throws SealError if the stored text was changed. */
  open(printer: { id: string; api_key_sealed: string | null }): string | null
}

const purposeOf = (printerId: string): string => `printers/${printerId}`

export const createPrinterKeys = (root: RootSecret): PrinterKeys => ({
  seal: (printerId, key) => root.seal(purposeOf(printerId), key),
  open: ({ id, api_key_sealed: sealed }) =>
    sealed === null ? null : root.open(purposeOf(id), sealed).toString('utf8'),
})
