import { MAX_PASSKEYS } from '@pegasus/contracts/auth/hosted-passkeys'
import type { CreationOptions, CredentialAnswer } from '@pegasus/contracts/auth/webauthn'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { KeySite } from '../second-factor/keys/factor-keys.service.ts'
import { lockProvenHolder } from '../second-factor/second-step.ts'
import { useMessage } from '../sign-in/used-messages.queries.ts'
import { type CredentialRow, insertCredential, listCredentials } from '../webauthn/credentials.queries.ts'
import { type PasskeyChallenge, type PasskeyChallenges, answeredKey } from './passkey-challenges.ts'
import { composePasskeyAdded, composePasskeyRemoved } from './passkey-mails.ts'
import { deletePasskey, listPasskeys, renamePasskey } from './passkeys.queries.ts'

/** Manages the passkeys of the caller's own account. */
export interface Passkeys {
  /** Creates a challenge for a new passkey. Throws PASSKEYS_DISABLED, SSO_MANAGED or TOO_MANY_PASSKEYS. */
  startRegistration(principal: UserPrincipal): Promise<PasskeyChallenge & { options: CreationOptions }>
  /**
   * Adds the passkey that a device has created. Throws PASSKEYS_DISABLED, one of the PASSKEY_CHALLENGE_ errors,
   * PASSKEY_WRONG, WEBAUTHN_CREDENTIAL_EXISTS or TOO_MANY_PASSKEYS.
   */
  register(
    principal: UserPrincipal,
    answer: { challengeId: string; credential: CredentialAnswer },
    device: Device,
  ): Promise<CredentialRow>
  list(accountId: string): Promise<CredentialRow[]>
  /** Renames a passkey. Throws PASSKEY_NOT_FOUND. */
  rename(principal: UserPrincipal, id: string, name: string): Promise<CredentialRow>
  /** Removes a passkey. Throws PASSKEY_NOT_FOUND. */
  remove(principal: UserPrincipal, id: string, device: Device): Promise<void>
}

/**
 * Whether the device must verify the person by PIN, finger or face. It must, because the sign-in requires no password.
 */
export const PASSKEY_VERIFICATION = 'required'

function freeName(known: readonly CredentialRow[]): string {
  const taken = new Set(known.map(({ friendly_name: name }) => name))
  let name = 'Passkey'
  for (let number = 2; taken.has(name); number += 1) name = `Passkey ${number}`
  return name
}

function assertRoom(known: readonly CredentialRow[]): void {
  if (known.filter(({ factor_id: factorId }) => factorId === null).length >= MAX_PASSKEYS)
    throw new AppError('TOO_MANY_PASSKEYS')
}

/** Returns a passkey as the subject of an audit entry, under the name of its account. */
const passkeyEntity = (id: string, { user }: UserPrincipal) => ({
  entity: 'passkey' as const,
  entityId: id,
  entityName: user.full_name || user.username,
})

export function createPasskeys(deps: {
  database: Database
  clock: Clock
  /** Null if passkeys cannot work at our address. */
  site: KeySite | null
  challenges: PasskeyChallenges
  mails: AccountMails
}): Passkeys {
  const { database, clock, challenges, mails } = deps

  const getCeremonies = () => {
    if (!deps.site) throw new AppError('PASSKEYS_DISABLED')
    return deps.site.ceremonies
  }

  const purposeOf = ({ sessionId }: UserPrincipal) => `registration/${sessionId}` as const

  const add = async (
    tx: TransactionSql,
    principal: UserPrincipal,
    {
      challenge,
      credential,
      device,
    }: { challenge: PasskeyChallenge; credential: CredentialAnswer; device: Device },
  ): Promise<CredentialRow> => {
    const now = clock.now()
    const { account } = await lockProvenHolder(tx, principal)
    assertNotSsoManaged(account)
    const known = await listCredentials(tx, account.id)
    assertRoom(known)
    const asked = { challengeId: challenge.id, verification: PASSKEY_VERIFICATION } as const
    const made = orThrow(await getCeremonies().readCreation(credential, asked), 'PASSKEY_WRONG')
    if (!(await useMessage(tx, answeredKey(challenge), challenge.expiresAt)))
      throw new AppError('PASSKEY_CHALLENGE_NOT_FOUND')
    const passkey = { ...made, accountId: account.id, factorId: null, name: freeName(known), now }
    const row = orThrow(await insertCredential(tx, passkey), 'WEBAUTHN_CREDENTIAL_EXISTS')
    const event = { ...passkeyEntity(row.id, principal), after: { friendly_name: row.friendly_name } }
    await writeAudit(tx, { action: 'passkey.added', ...event }, ownAuditContext(principal.user, device, now))
    if (mails.reachPeople) await mails.notify(tx, account, composePasskeyAdded())
    return row
  }

  return {
    async startRegistration(principal) {
      const ceremonies = getCeremonies()
      const { accountId: id, user } = principal
      if (user.sso_managed) throw new AppError('SSO_MANAGED')
      const known = await listCredentials(database.sql, id)
      assertRoom(known)
      const challenge = challenges.make(purposeOf(principal))
      const account = { id, email: user.email || user.username, fullName: user.full_name }
      const request = { challengeId: challenge.id, account, known, isPasskey: true }
      return { ...challenge, options: ceremonies.creationOptions(request) }
    },

    async register(principal, { challengeId, credential }, device) {
      getCeremonies()
      const challenge = challenges.read(purposeOf(principal), challengeId)
      return database.transaction((tx) => add(tx, principal, { challenge, credential, device }))
    },

    list: (accountId) => listPasskeys(database.sql, accountId),

    rename: (principal, id, name) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal)
        return orThrow(await renamePasskey(tx, { id, accountId: account.id, name }), 'PASSKEY_NOT_FOUND')
      }),

    remove: (principal, id, device) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal)
        const row = orThrow(await deletePasskey(tx, { id, accountId: account.id }), 'PASSKEY_NOT_FOUND')
        const event = { ...passkeyEntity(id, principal), before: { friendly_name: row.friendly_name } }
        const audit = ownAuditContext(principal.user, device, clock.now())
        await writeAudit(tx, { action: 'passkey.removed', ...event }, audit)
        if (mails.reachPeople) await mails.notify(tx, account, composePasskeyRemoved())
      }),
  }
}
