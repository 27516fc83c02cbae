import * as z from 'zod/mini'
import { KEY_LABEL_MAX_LENGTH, keyUse, wholeKey } from './api-keys.ts'
import { declareEndpoints } from './endpoint.ts'
import { isWellFormed, nullable, requiredText } from './fields.ts'

const { get, post, del } = declareEndpoints('service-keys', { notFound: 'SERVICE_KEY_NOT_FOUND' })

/**
 * Keys of the hosted service's protocol. `publishable` (`sb_publishable_…`) and `anon` (a JWT) only identify the
 * instance and give no access. `secret` (`sb_secret_…`) and `service_role` (a JWT) give access to accounts
 * (`/auth/v1/admin`) and to stored media (`/storage/v1`).
 */
export const SERVICE_KEY_KINDS = ['publishable', 'secret', 'anon', 'service_role'] as const
export type ServiceKeyKind = (typeof SERVICE_KEY_KINDS)[number]

/** The role that a key has in the protocol. */
export type ServiceKeyRole = 'anon' | 'service_role'
export const roleOfServiceKey = (kind: ServiceKeyKind): ServiceKeyRole =>
  kind === 'secret' || kind === 'service_role' ? 'service_role' : 'anon'

const serviceKey = z.object({
  id: z.uuid(),
  kind: z.enum(SERVICE_KEY_KINDS),
  label: z.string(),
  /** A part of the key by which people recognize it. */
  key_hint: z.string(),
  /** The time when a JWT expires. Null for the other keys, which do not expire. */
  expires_at: nullable.timestamp,
  ...keyUse,
})
export type ServiceKey = z.output<typeof serviceKey>

const issuedServiceKey = z.extend(serviceKey, wholeKey)
export type IssuedServiceKey = z.output<typeof issuedServiceKey>

export const listServiceKeys = get('/api/service-keys', 'owner', {
  summary: 'Keys of the hosted service protocol, newest first',
  returns: z.array(serviceKey),
})

export const createServiceKeyBody = z.object({
  kind: z.enum(SERVICE_KEY_KINDS, `The kind must be one of ${SERVICE_KEY_KINDS.join(', ')}`),
  label: requiredText(
    KEY_LABEL_MAX_LENGTH,
    'The label',
    'Enter the name of the program that uses the key',
    isWellFormed,
  ),
})
export type CreateServiceKeyBody = z.output<typeof createServiceKeyBody>

export const createServiceKey = post('/api/service-keys', 'owner', {
  summary: 'Create a key of the hosted service protocol; only this response contains the whole key',
  needsRecentSignIn: true,
  body: createServiceKeyBody,
  creates: issuedServiceKey,
  errors: ['TOO_MANY_SERVICE_KEYS', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

export const rotateServiceKey = post('/api/service-keys/:id/rotate', 'owner', {
  summary: 'Replace the key with a new key of the same kind; the old key stops working at once',
  needsRecentSignIn: true,
  returns: issuedServiceKey,
  errors: ['MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

/** Requires no recent sign-in, so that a leaked key can be stopped immediately. */
export const revokeServiceKey = del('/api/service-keys/:id', 'owner', {
  summary: 'Revoke a key permanently; the next request with it is refused',
})
