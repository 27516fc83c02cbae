import * as z from 'zod/mini'

/** The JSON messages of WebAuthn level 3, which browsers exchange with security keys and devices. Bytes are base64url. */

const bytes = (maxLength: number) =>
  z.string().check(z.maxLength(maxLength), z.regex(/^[A-Za-z0-9_-]*$/, 'is not base64url'))

/** The longest id of a credential that the standard allows has 1,023 bytes. */
const credentialId = bytes(1364).check(z.minLength(1))
/** Certificates of an attestation are the longest part; they are not looked at. */
const ATTESTATION_MAX_LENGTH = 64 * 1024

const knownCredential = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
})

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(knownCredential),
  authenticatorSelection: z.object({
    residentKey: z.enum(['discouraged', 'required']),
    requireResidentKey: z.boolean(),
    userVerification: z.enum(['preferred', 'required']),
  }),
  hints: z.array(z.string()),
  attestation: z.literal('none'),
})
export type CreationOptions = z.output<typeof creationOptions>

/** `PublicKeyCredentialRequestOptionsJSON`. */
export const requestOptions = z.object({
  challenge: z.string(),
  timeout: z.number(),
  rpId: z.string(),
  allowCredentials: z.array(knownCredential),
  userVerification: z.enum(['preferred', 'required']),
  hints: z.array(z.string()),
})
export type RequestOptions = z.output<typeof requestOptions>

/** `RegistrationResponseJSON` or `AuthenticationResponseJSON`. Which fields must be there depends on the ceremony. */
export const credentialAnswer = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4096),
    /** New credentials. */
    attestationObject: z.optional(bytes(ATTESTATION_MAX_LENGTH)),
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
    /** Known credentials. */
    authenticatorData: z.optional(bytes(8192)),
    signature: z.optional(bytes(8192)),
    userHandle: z.optional(z.nullable(bytes(128))),
  }),
})
export type CredentialAnswer = z.output<typeof credentialAnswer>
