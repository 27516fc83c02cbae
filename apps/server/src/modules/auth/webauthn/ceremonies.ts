import { createHmac } from 'node:crypto'
import type { CreationOptions, CredentialAnswer, RequestOptions } from '@pegasus/contracts/auth/webauthn'
import { parse as uuidBytes } from 'uuid'
import { MINUTE_MS } from '../../../platform/clock.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import type { CredentialRow, NewCredential } from './credentials.queries.ts'
import type { RelyingParty } from './relying-party.ts'

/** How long a request to a key is valid: five minutes, as in the protocol. */
export const CEREMONY_MS = 5 * MINUTE_MS
/** The COSE numbers of EdDSA, ES256 and RS256. Every key on the market supports at least one of these algorithms. */
const ALGORITHMS = [-8, -7, -257]
/** The offset of the counter, in bytes, within the data that a key signs. */
const COUNTER_OFFSET = 33

/**
 * The result of checking a signature. `rewound` means that the counter has not increased, which happens with a copied
 * key.
 */
export type Assertion = { kind: 'right'; signCount: number } | { kind: 'rewound' } | { kind: 'wrong' }

/**
 * Whether the key must verify the person by PIN, finger or face (`required`), or should do so if it can (`preferred`).
 */
export type Verification = 'preferred' | 'required'

/** Creates the WebAuthn requests to keys and devices, and checks their responses. */
export interface Ceremonies {
  /**
   * Returns the bytes that a key signs for a challenge. They are derived from the id of the challenge and the root
   * secret. So nobody else can compute them, and no table has to store them.
   */
  bytesOf(challengeId: string): string
  creationOptions(options: {
    challengeId: string
    account: { id: string; email: string; fullName: string }
    known: readonly CredentialRow[]
    /** Whether the device stores the credential itself, so that it can sign in without a name. */
    isPasskey: boolean
  }): CreationOptions
  requestOptions(options: {
    challengeId: string
    /** The credentials that may answer. If the list is empty, the person chooses among the passkeys on the device. */
    allowed: readonly CredentialRow[]
    verification: Verification
  }): RequestOptions
  /** Returns the credential that a key has created. Returns null if anything in the response is wrong. */
  readCreation(
    answer: CredentialAnswer,
    asked: { challengeId: string; verification: Verification },
  ): Promise<NewCredential | null>
  /** Checks a key's response, including the counter, against the stored credential. */
  judge(
    answer: CredentialAnswer,
    credential: CredentialRow,
    asked: { challengeId: string; verification: Verification },
  ): Promise<Assertion>
}

/** Loads the library. Call this only when it is needed, because the library takes 25 MB of memory. */
const loadLibrary = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
})

/**
 * Returns the handle under which a device stores an account. It is the id of the account, which reveals
 * nothing about the person.
 */
export const userHandleOf = (accountId: string): string =>
  Buffer.from(uuidBytes(accountId)).toString('base64url')

const knownOf = (credentials: readonly CredentialRow[]) =>
  credentials.map(({ credential_id: id, transports }) => ({ type: 'public-key' as const, id, transports }))

/** Returns whether our page was embedded in another page. Such a page could trick the person into pressing the key. */
function isEmbedded(clientDataJson: string): boolean {
  const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))
  return typeof data !== 'object' || data === null || ('crossOrigin' in data && data.crossOrigin !== false)
}

/**
 * Returns whether the counter of a key has increased. A key that does not count always sends 0, which is also accepted.
 */
const hasCountedOn = (before: number, after: number): boolean =>
  (before === 0 && after === 0) || after > before

export function createCeremonies(deps: { party: RelyingParty; key: Buffer; log: ServiceLog }): Ceremonies {
  const { party, key, log } = deps
  const site = { expectedOrigin: [...party.origins], expectedRPID: party.id }

  const bytesOf = (challengeId: string): string =>
    createHmac('sha256', key).update(challengeId).digest('base64url')

  /**
   * Returns the response without its attestation. All manufacturers are trusted equally, and a check of the attestation
   * might call addresses in its certificates.
   */
  const withoutAttestation = async (attestation: string): Promise<string> => {
    const { decodeAttestationObject, isoCBOR } = await loadLibrary()
    const given = decodeAttestationObject(Uint8Array.from(Buffer.from(attestation, 'base64url')))
    const plain = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', given.get('authData')],
    ])
    return Buffer.from(isoCBOR.encode(plain as Parameters<typeof isoCBOR.encode>[0])).toString('base64url')
  }

  const readCreation: Ceremonies['readCreation'] = async (answer, { challengeId, verification }) => {
    const { clientDataJSON, attestationObject, transports = [] } = answer.response
    if (attestationObject === undefined || isEmbedded(clientDataJSON)) return null
    const { verifyRegistrationResponse } = await loadLibrary()
    const response = { clientDataJSON, attestationObject: await withoutAttestation(attestationObject) }
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: answer.id,
        rawId: answer.rawId,
        type: answer.type,
        response,
        clientExtensionResults: {},
      },
      ...site,
      expectedChallenge: bytesOf(challengeId),
      requireUserVerification: verification === 'required',
      supportedAlgorithmIDs: ALGORITHMS,
    })
    // The id in the response is not signed, but the id in the credential is. Both must be equal, because later
    // responses contain the id of the credential.
    if (!verified || registrationInfo.credential.id !== answer.id) return null
    const { id: credentialId, publicKey, counter: signCount } = registrationInfo.credential
    return { credentialId, publicKey: Buffer.from(publicKey), signCount, transports }
  }

  const judge: Ceremonies['judge'] = async (answer, credential, { challengeId, verification }) => {
    const { clientDataJSON, authenticatorData, signature, userHandle } = answer.response
    if (!authenticatorData || !signature || isEmbedded(clientDataJSON)) return { kind: 'wrong' }
    if (answer.id !== credential.credential_id) return { kind: 'wrong' }
    if (userHandle && userHandle !== userHandleOf(credential.account_id)) return { kind: 'wrong' }
    const { verifyAuthenticationResponse } = await loadLibrary()
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: answer.id,
        rawId: answer.rawId,
        type: answer.type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      ...site,
      expectedChallenge: bytesOf(challengeId),
      requireUserVerification: verification === 'required',
      // Let the library ignore the counter. It is compared below, after the signature was checked, so that only a
      // genuine key can be reported as copied.
      credential: {
        id: credential.credential_id,
        publicKey: Uint8Array.from(credential.public_key),
        counter: 0,
      },
    })
    if (!verified) return { kind: 'wrong' }
    const signCount = Buffer.from(authenticatorData, 'base64url').readUInt32BE(COUNTER_OFFSET)
    return hasCountedOn(Number(credential.sign_count), signCount)
      ? { kind: 'right', signCount }
      : { kind: 'rewound' }
  }

  const refuseAs =
    <T>(verdict: T) =>
    (error: unknown): T => {
      log.info({ reason: error instanceof Error ? error.message : String(error) }, 'refused a security key')
      return verdict
    }

  return {
    bytesOf,

    creationOptions: ({ challengeId, account, known, isPasskey }) => ({
      rp: { id: party.id, name: party.name },
      user: {
        id: userHandleOf(account.id),
        name: account.email,
        displayName: account.fullName || account.email,
      },
      challenge: bytesOf(challengeId),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: CEREMONY_MS,
      excludeCredentials: knownOf(known),
      authenticatorSelection: {
        residentKey: isPasskey ? 'required' : 'discouraged',
        requireResidentKey: isPasskey,
        userVerification: isPasskey ? 'required' : 'preferred',
      },
      hints: [],
      attestation: 'none',
    }),

    requestOptions: ({ challengeId, allowed, verification }) => ({
      challenge: bytesOf(challengeId),
      timeout: CEREMONY_MS,
      rpId: party.id,
      allowCredentials: knownOf(allowed),
      userVerification: verification,
      hints: [],
    }),

    // The library and the decoders throw for every invalid response, so treat each error as a refusal.
    readCreation: (answer, asked) => readCreation(answer, asked).catch(refuseAs(null)),
    judge: (answer, credential, asked) =>
      judge(answer, credential, asked).catch(refuseAs<Assertion>({ kind: 'wrong' })),
  }
}
