import * as z from 'zod/mini'

/**
 * The JSON messages of WebAuthn level 3, which browsers exchange with security keys and devices. Bytes are
 * base64url.
 */

const bytes = (maxLength: number) =>
  z.string().check(z.maxLength(maxLength), z.regex(/^[A-Za-z0-9_-]*$/, 'is not base64url'))

/** The longest credential id that the standard allows has 1,023 bytes. */
const credentialId = bytes(1364).check(z.minLength(1))
/** The certificates of an attestation are its longest part. They are not evaluated. */
const ATTESTATION_MAX_LENGTH = 64 * 1024

const knownCredential = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
})

/** The type `PublicKeyCredentialCreationOptionsJSON` of the standard. */
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

/** The type `PublicKeyCredentialRequestOptionsJSON` of the standard. */
export const requestOptions = z.object({
  challenge: z.string(),
  timeout: z.number(),
  rpId: z.string(),
  allowCredentials: z.array(knownCredential),
  userVerification: z.enum(['preferred', 'required']),
  hints: z.array(z.string()),
})
export type RequestOptions = z.output<typeof requestOptions>

/**
 * The type `RegistrationResponseJSON` or `AuthenticationResponseJSON` of the standard. Which fields must be present
 * depends on whether a key is registered or used.
 */
export const credentialAnswer = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4096),
    /** Present when a new key is registered. */
    attestationObject: z.optional(bytes(ATTESTATION_MAX_LENGTH)),
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
    /** Present when a known key is used. */
    authenticatorData: z.optional(bytes(8192)),
    signature: z.optional(bytes(8192)),
    userHandle: z.optional(z.nullable(bytes(128))),
  }),
})
export type CredentialAnswer = z.output<typeof credentialAnswer>
