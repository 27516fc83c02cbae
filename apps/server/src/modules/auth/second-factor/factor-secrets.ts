import type { RootSecret } from '../../../platform/root-secret.ts'
import type { TotpFactorRow } from './factors.queries.ts'

/** What authenticator apps make their codes of, kept so that a dump of the database makes none. */
export interface FactorSecrets {
  seal(factorId: string, secret: string): string
  open(factor: TotpFactorRow): string
}

/** Each is sealed for its own factor: one that is moved to another row opens nothing. */
const purposeOf = (factorId: string): string => `factors/${factorId}`

export const createFactorSecrets = (root: RootSecret): FactorSecrets => ({
  seal: (factorId, secret) => root.seal(purposeOf(factorId), secret),
  open: ({ id, secret_sealed: sealed }) => root.open(purposeOf(id), sealed).toString('utf8'),
})
