import type { RootSecret } from '../../../platform/root-secret.ts'
import type { TotpFactorRow } from './factors.queries.ts'

/** The secrets of authenticator apps, stored encrypted so that a dump of the database produces no codes. */
export interface FactorSecrets {
  seal(factorId: string, secret: string): string
  open(factor: TotpFactorRow): string
}

/** Each secret is encrypted for its own factor. In another row it opens nothing. */
const purposeOf = (factorId: string): string => `factors/${factorId}`

export const createFactorSecrets = (root: RootSecret): FactorSecrets => ({
  seal: (factorId, secret) => root.seal(purposeOf(factorId), secret),
  open: ({ id, secret_sealed: sealed }) => root.open(purposeOf(id), sealed).toString('utf8'),
})
