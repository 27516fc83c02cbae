import * as z from 'zod/mini'
import { ALERT_KINDS, type AlertKind } from '../alerts/alerts.ts'
import { declareEndpoints } from '../endpoint.ts'
import { isWellFormed, nullable, requiredText, text, timestamp } from '../fields.ts'
import { isWebAddress } from '../web-address.ts'

const { get, list, post, put, del } = declareEndpoints('channels', { notFound: 'CHANNEL_NOT_FOUND' })

/**
 * Kinds of channels. `webhook` follows the Standard Webhooks specification; the others are chats and push
 * services.
 */
export const CHANNEL_KINDS = ['webhook', 'slack', 'discord', 'ntfy'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

export const CHANNEL_KIND_NAMES: Readonly<Record<ChannelKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  ntfy: 'ntfy',
}

/** The `type` of each event in a webhook. */
export const CHANNEL_EVENT_TYPES: Readonly<Record<AlertKind | 'test', string>> = {
  low_stock: 'item.low_stock',
  low_filament: 'filament.low',
  filament_short: 'filament.running_out',
  job_finished: 'print_job.finished',
  job_failed: 'print_job.failed',
  printer_error: 'printer.error',
  publication_failed: 'product.publication_failed',
  new_order: 'order.created',
  order_overdue: 'order.overdue',
  order_shipped: 'order.shipped',
  order_cancelled: 'order.cancelled_while_printing',
  order_refused: 'order.refused',
  backup_failed: 'backup.failed',
  test: 'channel.test',
}

export const MAX_CHANNELS = 50
/**
 * The pauses before the second and each later attempt of a delivery, in seconds. They range from 5 seconds to
 * a day.
 */
export const DELIVERY_PAUSES_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
/** Deliveries and their attempts are deleted after this many days. */
export const DELIVERY_RETENTION_DAYS = 30
/** Number of hours after a rotation during which the old key also signs webhooks. */
export const OLD_KEY_HOURS = 24

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const timeOfDay = (name: string) => z.string().check(z.regex(TIME, `${name} must be a time such as 22:00`))

/**
 * Names of time zones. Abbreviations and offsets are excluded, because programs interpret them differently.
 */
const ZONE_NAME = /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/

/** Returns whether the browser or the server that runs this code supports a time zone with this name. */
export function isTimeZone(name: string): boolean {
  try {
    return ZONE_NAME.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

export const quietHours = z.object({
  from: timeOfDay('from'),
  /** The end of the quiet hours. It is before `from` if the quiet hours include midnight. */
  until: timeOfDay('until'),
  time_zone: z
    .string()
    .check(
      z.maxLength(64, 'time_zone is too long'),
      z.refine(isTimeZone, 'time_zone must be a name such as Europe/Berlin'),
    ),
})
export type QuietHours = z.output<typeof quietHours>
/**
 * Quiet hours in a response. Any text is allowed as the time zone, because an earlier version may have stored a name
 * that is no longer accepted.
 */
export const storedQuietHours = z.object({ ...quietHours.shape, time_zone: z.string() })

export const lastDelivery = z.object({
  state: z.enum(['waiting', 'delivered', 'failed']),
  created_at: timestamp,
})

/** An external address to which events are sent. The whole address and the keys are never sent to clients. */
export const channel = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  /** The origin of the address, such as `https://hooks.slack.com/…`. */
  shown_address: z.string(),
  /** Whether an access token of ntfy is stored. */
  has_access_token: z.boolean(),
  events: z.array(z.enum(ALERT_KINDS)),
  is_enabled: z.boolean(),
  /** Why the server switched the channel off. Null if it did not. */
  disabled_reason: nullable.text,
  /** The hours during which deliveries wait, or null if there are none. */
  quiet_hours: z.nullable(storedQuietHours),
  /** The newest delivery, or null if there was none. */
  last_delivery: z.nullable(lastDelivery),
  /** Number of deliveries that failed permanently and were not replayed. */
  failed: z.number(),
  /** Number of deliveries that were not sent yet, or that are tried again. */
  waiting: z.number(),
  revision: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Channel = z.output<typeof channel>

const address = requiredText(2000, 'address', 'Please enter the address.', isWellFormed).check(
  z.refine(isWebAddress, 'The address must be a web address (http or https) without a user name'),
)
/** An access token of ntfy. The server sends it in a header, so it must consist of visible ASCII characters. */
const accessToken = text(500, 'access_token').check(
  z.refine((value) => /^[\x21-\x7e]*$/.test(value), 'access_token contains an invalid character'),
)

const fields = {
  name: requiredText(100, 'name', 'Please enter a name.', isWellFormed),
  address,
  /**
   * An access token of ntfy. An empty text removes it, and so does a change of the address to another server.
   */
  access_token: z.optional(accessToken),
  events: z
    .array(z.enum(ALERT_KINDS, 'This event does not exist'))
    .check(
      z.minLength(1, 'Choose at least one event.'),
      z.maxLength(ALERT_KINDS.length, 'Name each event once.'),
    ),
  quiet_hours: z._default(z.nullable(quietHours), null),
}

export const createChannelBody = z.object({
  kind: z.enum(CHANNEL_KINDS, 'Choose the kind of channel.'),
  ...fields,
})
export type CreateChannelBody = z.output<typeof createChannelBody>

export const updateChannelBody = z.object({
  name: z.optional(fields.name),
  address: z.optional(address),
  access_token: z.optional(accessToken),
  events: z.optional(fields.events),
  is_enabled: z.optional(z.boolean('is_enabled must be true or false')),
  quiet_hours: z.optional(z.nullable(quietHours)),
})
export type UpdateChannelBody = z.output<typeof updateChannelBody>

export const listChannels = list('/api/channels', 'admin', {
  summary: 'Webhooks, chats and push services that get events, newest first',
  of: channel,
})

export const getChannel = get('/api/channels/:id', 'admin', { summary: 'One channel', returns: channel })

export const createChannel = post('/api/channels', 'admin', {
  summary: 'Add a channel; a webhook gets a key that signs its deliveries',
  body: createChannelBody,
  creates: channel,
  needsRecentSignIn: true,
  errors: [
    'CHANNEL_ADDRESS_REFUSED',
    'CHANNEL_WITHOUT_TOPIC',
    'TOO_MANY_CHANNELS',
    'MALFORMED_REQUEST',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const updateChannel = put('/api/channels/:id', 'admin', {
  summary: 'Change a channel; missing fields stay unchanged. Needs If-Match',
  body: updateChannelBody,
  returns: channel,
  needsRecentSignIn: true,
  errors: [
    'CHANNEL_ADDRESS_REFUSED',
    'CHANNEL_WITHOUT_TOPIC',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
  ],
})

export const deleteChannel = del('/api/channels/:id', 'admin', {
  summary: 'Delete a channel and its delivery log',
})

const signingKey = z.object({
  /** `whsec_` followed by the key in base64, as libraries for Standard Webhooks expect it. */
  signing_key: z.string(),
})

export const getChannelKey = get('/api/channels/:id/key', 'admin', {
  summary: 'The key that signs the deliveries of a webhook',
  returns: signingKey,
  needsRecentSignIn: true,
  errors: ['CHANNEL_WITHOUT_KEY'],
})

export const rotateChannelKey = post('/api/channels/:id/rotate-key', 'admin', {
  summary: `Replace the key of a webhook. For ${OLD_KEY_HOURS} more hours, deliveries are signed with the old key as well`,
  returns: signingKey,
  needsRecentSignIn: true,
  errors: ['CHANNEL_WITHOUT_KEY'],
})

const attempt = z.object({
  number: z.number(),
  at: timestamp,
  /** Null if there was no response. */
  duration_ms: nullable.number,
  /** HTTP status of the response, or null if there was none. */
  status: nullable.number,
  /** Why the attempt failed, or null if it succeeded. */
  note: nullable.text,
})

/** One event for one channel, with its attempts, newest first. */
export const channelDelivery = z.object({
  id: z.uuid(),
  /** The event's `type`, such as `order.created`. */
  type: z.string(),
  title: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  created_at: timestamp,
  next_attempt_at: nullable.timestamp,
  finished_at: nullable.timestamp,
  /** The last ten attempts, newest first. */
  attempts: z.array(attempt),
})
export type ChannelDelivery = z.output<typeof channelDelivery>

export const listChannelDeliveries = list('/api/channels/:id/deliveries', 'admin', {
  summary: `Deliveries of the last ${DELIVERY_RETENTION_DAYS} days, newest first`,
  filter: {
    state: z.optional(
      z.enum(['waiting', 'delivered', 'failed'], 'state must be waiting, delivered or failed'),
    ),
  },
  of: channelDelivery,
})

export const testChannel = post('/api/channels/:id/test', 'admin', {
  summary: 'Send a test message once, even in quiet hours or if the channel is disabled',
  returns: channelDelivery,
})

const deliveryParams = z.object({ id: z.uuid(), delivery_id: z.uuid() })

export const replayDelivery = post('/api/channels/:id/deliveries/:delivery_id/replay', 'admin', {
  summary: 'Send a finished delivery again, under the same id; a waiting delivery stays unchanged',
  params: deliveryParams,
  returns: channelDelivery,
  errors: ['DELIVERY_NOT_FOUND'],
})

export const replayFailedDeliveries = post('/api/channels/:id/replay-failed', 'admin', {
  summary: 'Send all failed deliveries again',
  returns: z.object({ replayed: z.number() }),
})
