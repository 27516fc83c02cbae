import { createHmac, hash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { SsoTest } from '@pegasus/contracts/auth/sso-providers'
import { type Clock, addMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import { publish } from '../../events/index.ts'
import type { Device } from '../audit/device.ts'
import type { ProvenIdentity } from '../identities/external-accounts.ts'
import type { IdentitySignIn } from '../identities/identity-sign-in.ts'
import { type CodeChallenge, challengeIn, insertFlowState, issueAuthCode } from '../mail-links/flow-states.ts'
import type { OAuthOutcome, OAuthResult } from '../oauth/oauth-sign-in.service.ts'
import type { RefusedIdentities } from '../oauth/refused-identities.ts'
import type { AttemptLimits } from '../rate-limit/attempt-limits.ts'
import { useMessage } from '../sign-in/used-messages.queries.ts'
import { type OwnAddresses, ownAddresses, ownMetadata } from './own-side/own-metadata.ts'
import { createOwnKeys } from './own-side/own-key.ts'
import { signInRequestUrl } from './own-side/sign-in-request.ts'
import { createMetadataCache } from './providers/idp-metadata.ts'
import { type SamlPerson, readPerson } from './providers/saml-person.ts'
import {
  type SsoProviderRow,
  findProvider,
  holdProvider,
  saveTest,
} from './providers/sso-providers.queries.ts'
import type { SsoProviders } from './providers/sso-providers.service.ts'
import { SamlFault } from './saml-fault.ts'
import type { Assertion } from './saml-response.ts'
import type { SamlSettings } from './saml-settings.ts'
import { type SamlStateRow, insertSamlState, takeSamlState } from './saml-states.queries.ts'
import { SAML_METHOD, ssoProviderName } from '../accounts/sso-identity.ts'

/** How a client chooses a provider: by the provider's id or by an email domain. */
export type ProviderChoice = { providerId: string } | { domain: string }

export interface SamlBeginning {
  redirectTo: string | null
  challenge: CodeChallenge | null
  /** The cookie of the browser that begins the sign-in. Null if the sign-in is not bound to a browser. */
  browser: string | null
}

/** The fields of the form that a provider posts. */
export interface SamlReturn {
  samlResponse: string
  relayState: string
}

/** Sign-in through SAML providers. */
export interface SamlSignIn {
  readonly addresses: OwnAddresses
  /** Returns our metadata. A downloaded copy contains the time when it expires. */
  metadata(validUntil: Date | null): Promise<string>
  /**
   * Returns the provider's address for the browser. Throws SSO_PROVIDER_NOT_FOUND, SSO_PROVIDER_DISABLED or
   * TOO_MANY_REQUESTS.
   */
  begin(choice: ProviderChoice, beginning: SamlBeginning, device: Device): Promise<string>
  /**
   * Like `begin`, for an administrator's test. It also works for a disabled provider, and opens no session.
   */
  beginTest(providerId: string): Promise<string>
  /**
   * Finishes a sign-in after the provider has sent the browser back. Returns `tested` for an administrator's test.
   * Throws SAML_STATE_NOT_FOUND, SAML_STATE_EXPIRED or TOO_MANY_SIGN_INS if no client is waiting for the browser.
   */
  finish(returned: SamlReturn, browser: string | null, device: Device): Promise<OAuthOutcome | 'tested'>
}

const hashText = (text: string): string => hash('sha256', text, 'base64url')
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Decodes a response from base64. This binding does not compress responses. */
function decodeResponse(text: string): string {
  const encoded = text.replace(/\s+/g, '')
  if (!BASE64.test(encoded)) throw new SamlFault('not_xml', { detail: 'not base64' })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
  } catch (cause) {
    throw new SamlFault('not_xml', { cause })
  }
}

const refused = (fault: SamlFault): AppError =>
  new AppError('SAML_REFUSED', {
    text: `SAML Assertion is not valid (${fault.reason})`,
    detail: fault.message,
    reason: `saml_${fault.reason}`,
    cause: fault,
  })

export function createSamlSignIn(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  settings: SamlSettings
  ssoProviders: SsoProviders
  identitySignIn: IdentitySignIn
  refusals: RefusedIdentities
  /** Limits how many sign-ins one IP address can begin, because the server stores and signs each of them. */
  beginLimits: AttemptLimits
}): SamlSignIn {
  const { database, clock, secret, settings, ssoProviders, identitySignIn, refusals, beginLimits } = deps
  const addresses = ownAddresses(settings.baseUrl)
  const requestKey = secret.deriveKey('saml-requests')
  const metadataOf = createMetadataCache()
  const ownKeys = createOwnKeys({ database, clock, secret, configured: settings })

  /** Derives the id of our request from its relay state. So the database needs to store only a hash of the state. */
  const requestIdOf = (state: string): string =>
    `_${createHmac('sha256', requestKey).update(state).digest('hex').slice(0, 40)}`

  const beginAt = async (row: SsoProviderRow, beginning: SamlBeginning, isTest: boolean): Promise<string> => {
    const { redirectTo, challenge, browser } = beginning
    const state = randomUUID()
    const now = clock.now()
    const browserHash = browser === null ? null : hashText(browser)
    const begun = {
      stateHash: hashText(state),
      providerId: row.id,
      redirectTo,
      challenge,
      browserHash,
      isTest,
    }
    await insertSamlState(database.sql, begun, now)
    return signInRequestUrl(addresses, (await ownKeys()).current, {
      id: requestIdOf(state),
      signInUrl: metadataOf(row).signInUrl,
      relayState: state,
      nameIdFormat: row.name_id_format,
      now,
    })
  }

  const isBrowserOf = ({ browser_hash: expected }: SamlStateRow, browser: string | null): boolean => {
    if (expected === null) return true
    return browser !== null && timingSafeEqual(Buffer.from(hashText(browser)), Buffer.from(expected))
  }

  const takeState = async (state: string, browser: string | null, device: Device): Promise<SamlStateRow> => {
    const now = clock.now()
    // A provider that begins a sign-in itself sends no state that we issued. Accepting its response would let attackers
    // sign other people in to the attackers' accounts.
    const row = UUID.test(state) ? await takeSamlState(database.sql, hashText(state), now) : null
    if (row === null) {
      const error = new AppError('SAML_STATE_NOT_FOUND')
      // The recorded refusal also counts towards the rate limit, because somebody may be guessing states.
      await refusals.note(error, null, device)
      throw error
    }
    if (addMs(new Date(row.created_at), settings.stateMs) <= now) throw new AppError('SAML_STATE_EXPIRED')
    if (!isBrowserOf(row, browser)) {
      const error = new AppError('SAML_STATE_NOT_FOUND', { detail: 'begun in another browser' })
      await refusals.note(error, null, device)
      throw error
    }
    return row
  }

  const prove = async (row: SamlStateRow, { samlResponse, relayState }: SamlReturn) => {
    const provider = orThrow(await findProvider(database.sql, row.provider_id), 'SSO_PROVIDER_NOT_FOUND')
    // Import this module when the first response arrives, because loading it would slow down every start.
    const { readSamlResponse } = await import('./saml-response.ts')
    let assertion: Assertion
    try {
      const { keys, validUntil } = metadataOf(provider)
      // Refuse expired metadata, as the standard requires. For example, a provider lets its metadata expire after its
      // key was stolen.
      if (validUntil !== null && validUntil <= clock.now()) throw new SamlFault('metadata_expired')
      assertion = readSamlResponse(decodeResponse(samlResponse), {
        issuer: provider.entity_id,
        keys,
        requestId: requestIdOf(relayState),
        audience: addresses.metadataUrl,
        recipient: addresses.acsUrl,
        now: clock.now(),
      })
    } catch (error) {
      if (error instanceof SamlFault) throw refused(error)
      throw error
    }
    return {
      provider,
      assertion,
      person: readPerson(assertion, provider.entity_id, provider.attribute_mapping),
    }
  }

  const identityOf = (provider: SsoProviderRow, { subject, email, data }: SamlPerson): ProvenIdentity => ({
    provider: ssoProviderName(provider.id),
    label: `SSO (${provider.domains[0]?.domain ?? provider.entity_id})`,
    subject,
    data,
    name: email,
    // A provider can state any address. So the address must neither find an account nor be linked to one.
    verifiedEmail: null,
    creationError: null,
    sso: { providerId: provider.id, email },
  })

  const signIn = async (row: SamlStateRow, returned: SamlReturn, device: Device): Promise<OAuthResult> => {
    const { provider, assertion, person } = await prove(row, returned)
    const proven = identityOf(provider, person)
    const endsAt = assertion.sessionEndsAt
    const challenge = challengeIn(row)
    /**
     * Prevents the provider from being removed in the meantime. Marks the assertion as used, so that no replica accepts
     * it again.
     */
    const useUp = async (tx: Parameters<typeof useMessage>[0]): Promise<void> => {
      const state = await holdProvider(tx, provider.id)
      if (state !== 'enabled')
        throw new AppError(state === 'gone' ? 'SSO_PROVIDER_NOT_FOUND' : 'SSO_PROVIDER_DISABLED')
      const used = hashText(`saml/${provider.id}/${assertion.id}`)
      if (!(await useMessage(tx, used, assertion.expiresAt))) throw refused(new SamlFault('replayed'))
    }
    if (challenge === null) {
      const way = { method: SAML_METHOD, ssoProviderId: provider.id, endsAt, useUp }
      return { kind: 'session', session: await identitySignIn.open(proven, device, way) }
    }
    const authCode = await identitySignIn.admit(proven, device, {
      useUp,
      use: async (tx, { account, identityId }) => {
        const now = clock.now()
        const flow = { accountId: account.id, method: SAML_METHOD, challenge, identityId, now }
        return issueAuthCode(tx, await insertFlowState(tx, { ...flow, sessionEndsAt: endsAt }), now)
      },
    })
    return { kind: 'code', authCode }
  }

  /** Stores the result of a test: the person who would have signed in, or the reason for a refusal. */
  const test = async (row: SamlStateRow, returned: SamlReturn): Promise<void> => {
    const nobody = { subject: null, email: null, full_name: null, attributes: [] }
    const at = clock.now().toISOString()
    let result: SsoTest
    try {
      const { assertion, person } = await prove(row, returned)
      result = {
        at,
        works: true,
        reason: null,
        subject: person.subject,
        email: person.email,
        full_name: person.fullName,
        attributes: assertion.attributes.map(({ name }) => name.slice(0, 300)).slice(0, 100),
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      result = { at, works: false, reason: error.reason ?? error.code.toLowerCase(), ...nobody }
    }
    await database.transaction(async (tx) => {
      await saveTest(tx, row.provider_id, result)
      await publish(tx, { type: 'updated', entity: 'sso_provider', id: row.provider_id })
    })
  }

  return {
    addresses,
    metadata: async (validUntil) => ownMetadata(addresses, await ownKeys(), validUntil),

    async begin(choice, beginning, { ip }) {
      await beginLimits.count({ key: 'sso-begin', ip })
      const row =
        'domain' in choice
          ? await ssoProviders.getByDomain(choice.domain)
          : await ssoProviders.get(choice.providerId)
      if (row.is_disabled) throw new AppError('SSO_PROVIDER_DISABLED')
      return beginAt(row, beginning, false)
    },

    async beginTest(providerId) {
      const row = await ssoProviders.get(providerId)
      return beginAt(row, { redirectTo: null, challenge: null, browser: null }, true)
    },

    async finish(returned, browser, device) {
      const row = await takeState(returned.relayState, browser, device)
      if (row.is_test) {
        await test(row, returned)
        return 'tested'
      }
      const redirectTo = row.redirect_to
      try {
        return { redirectTo, result: await signIn(row, returned, device) }
      } catch (error) {
        await refusals.note(error, null, device)
        return { redirectTo, result: { kind: 'failed', error } }
      }
    },
  }
}
