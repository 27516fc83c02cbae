import type { RootSecret } from '../../../platform/root-secret.ts'
import type { TotpFactorRow } from './factors.queries.ts'

/**
 * Encrypts and decrypts the secrets of authenticator apps, so that codes cannot be derived from a database
 * dump.
 */
export interface FactorSecrets {
  seal(factorId: string, secret: string): string
  open(factor: TotpFactorRow): string
}

/** Each secret is encrypted for its own factor, so it cannot be decrypted in the row of another factor. */
const purposeOf = (factorId: string): string => `factors/${factorId}`

export const createFactorSecrets = (root: RootSecret): FactorSecrets => ({
  seal: (factorId, secret) => root.seal(purposeOf(factorId), secret),
  open: ({ id, secret_sealed: sealed }) => root.open(purposeOf(id), sealed).toString('utf8'),
})
