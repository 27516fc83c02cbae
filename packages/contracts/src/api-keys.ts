import * as z from 'zod/mini'
import { nullable, timestamp } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'
import { API_KEY_SCOPES } from './roles.ts'

const { get, list, post, put, del } = declareEndpoints('api-keys', { notFound: 'API_KEY_NOT_FOUND' })

export const DEFAULT_KEY_LABEL = 'Default'
export const KEY_LABEL_MAX_LENGTH = 100
export const MIN_EXPIRES_DAYS = 1
export const MAX_EXPIRES_DAYS = 365
const MAX_ALLOWED_ADDRESSES = 20
/** Number of calls that the details of a key show. Older calls are deleted. */
export const RECENT_CALLS_SHOWN = 50

const API_KEY_STATUSES = ['Expired', 'Active', 'Disabled'] as const
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number]

/** Returns the status of a key at the time `now`. A key that is both expired and disabled counts as expired. */
export function apiKeyStatus(
  key: { is_active: boolean; expires_at: string | null },
  now: Date,
): ApiKeyStatus {
  if (key.expires_at !== null && new Date(key.expires_at) <= now) return 'Expired'
  return key.is_active ? 'Active' : 'Disabled'
}

const scopeList = z.array(z.enum(API_KEY_SCOPES, `A scope must be one of ${API_KEY_SCOPES.join(' and ')}`))

/** The fields that show how a key was used. */
export const keyUse = {
  usage_count: z.number(),
  created_at: timestamp,
  last_used: nullable.timestamp,
  last_used_ip: nullable.text,
}

/** The whole key. Only the response that creates or rotates the key contains it. */
export const wholeKey = { key: z.string() }

/** A key, as admins see it. The whole key is shown only once, when it is created or rotated. */
export const apiKey = z.object({
  id: z.uuid(),
  /** The first characters of the key. Rotating the key changes them. */
  key_prefix: z.string(),
  label: z.string(),
  user_id: z.uuid(),
  /** Username of the key's owner. A key never has more rights than its owner. */
  username: z.string(),
  /** Whether the owner is active and has system access. If not, the key does not work, regardless of its status. */
  owner_in_force: z.boolean(),
  scope: scopeList,
  is_active: z.boolean(),
  expires_at: nullable.timestamp,
  /** IP ranges from which the key works, such as `10.0.0.0/8`. Null allows all addresses. */
  allowed_addresses: z.nullable(z.array(z.string())),
  ...keyUse,
})
export type ApiKey = z.output<typeof apiKey>

const issuedApiKey = z.extend(apiKey, wholeKey)
export type IssuedApiKey = z.output<typeof issuedApiKey>

export const listApiKeys = list('/api/api-keys', 'admin', {
  summary: 'API keys, newest first',
  of: apiKey,
})

/**
 * Matches control characters, line separators, unpaired surrogates, and marks that change the direction of
 * text.
 */
const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const label = z.pipe(
  z._default(
    z.string('The label must be text').check(
      z.trim(),
      z.maxLength(KEY_LABEL_MAX_LENGTH, `The label can have at most ${KEY_LABEL_MAX_LENGTH} characters`),
      z.refine((text) => !UNREADABLE.test(text), 'The label contains control characters'),
    ),
    DEFAULT_KEY_LABEL,
  ),
  z.transform((text) => text || DEFAULT_KEY_LABEL),
)

const ADDRESS_RANGE = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
const addressRange = z.string('An address must be text').check(
  z.trim(),
  z.refine(
    (text) => ADDRESS_RANGE.safeParse(text).success,
    'An address must look like 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32',
  ),
)

const days = `expires_days must be a whole number from ${MIN_EXPIRES_DAYS} to ${MAX_EXPIRES_DAYS}, or null for never`

export const createApiKeyBody = z.object({
  /** The owner of the key, who must have system access. */
  user_id: z.uuid('Please select a user.'),
  label,
  scope: z._default(scopeList.check(z.minLength(1, 'Choose at least one scope')), [...API_KEY_SCOPES]),
  expires_days: z._default(
    z.nullable(z.int(days).check(z.gte(MIN_EXPIRES_DAYS, days), z.lte(MAX_EXPIRES_DAYS, days))),
    null,
  ),
  /** Null allows all addresses. An empty list would allow none, so it is refused. */
  allowed_addresses: z._default(
    z.nullable(
      z
        .array(addressRange)
        .check(
          z.minLength(1, 'Name at least one address, or omit allowed_addresses'),
          z.maxLength(MAX_ALLOWED_ADDRESSES, `A key can have at most ${MAX_ALLOWED_ADDRESSES} addresses`),
        ),
    ),
    null,
  ),
})
export type CreateApiKeyBody = z.output<typeof createApiKeyBody>

export const createApiKey = post('/api/api-keys', 'admin', {
  summary: 'Create an API key; only this response contains the whole key',
  needsRecentSignIn: true,
  body: createApiKeyBody,
  creates: issuedApiKey,
  errors: [
    'KEY_OWNERS_ONLY',
    'KEY_OWNER_UNKNOWN',
    'KEY_OWNER_NOT_IN_FORCE',
    'KEY_OWNER_WITHOUT_ACCESS',
    'MALFORMED_REQUEST',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

const apiKeyCall = z.object({
  at: timestamp,
  method: z.string(),
  /** The path of the call, without the query. */
  path: z.string(),
  status: z.number(),
  ip: nullable.text,
  request_id: z.string(),
})

/** A key with its use, the endpoints that it may call, and its last calls. */
const apiKeyUsage = z.extend(apiKey, {
  /** Calls that the key's scopes and the current rights of its owner allow. */
  endpoints: z.array(z.object({ method: z.string(), path: z.string(), summary: z.string() })),
  /** The last calls, newest first. */
  calls: z.array(apiKeyCall),
})
export type ApiKeyUsage = z.output<typeof apiKeyUsage>

export const getApiKeyUsage = get('/api/api-keys/:id/usage', 'admin', {
  summary: 'Use of a key, its allowed calls and its last calls',
  returns: apiKeyUsage,
})

export const rotateApiKey = post('/api/api-keys/:id/rotate', 'admin', {
  summary: 'Replace the key with a new key that has the same rights; the old key stops working at once',
  needsRecentSignIn: true,
  returns: issuedApiKey,
  errors: ['KEY_OWNERS_ONLY', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

export const enableApiKey = put('/api/api-keys/:id/enable', 'admin', {
  summary: 'Enable a key',
  needsRecentSignIn: true,
  returns: apiKey,
  errors: ['KEY_OWNERS_ONLY'],
})

/** Does not require a recent sign-in, so that a leaked key can be disabled with one click. */
export const disableApiKey = put('/api/api-keys/:id/disable', 'admin', {
  summary: 'Disable a key; the next request with it is refused',
  returns: apiKey,
})

export const deleteApiKey = del('/api/api-keys/:id', 'admin', {
  summary: 'Delete a key; the next request with it is refused',
  needsRecentSignIn: true,
})
