import * as z from 'zod/mini'
import {
  DELIVERY_RETENTION_DAYS,
  channelDelivery,
  lastDelivery,
  quietHours,
  storedQuietHours,
} from './channels.ts'
import { declareEndpoints } from '../endpoint.ts'
import { isWellFormed, requiredText, timestamp } from '../fields.ts'
import { isWebAddress } from '../web-address.ts'

const { get, list, post, put, del } = declareEndpoints('push', { notFound: 'PUSH_DEVICE_NOT_FOUND' })

/** Maximum number of devices with notifications for one account. */
export const MAX_PUSH_DEVICES = 10

/** A browser that shows notifications. It belongs to one session, and is removed when that session ends. */
export const pushDevice = z.object({
  id: z.uuid(),
  /** Browser and system, such as `Chrome on Android`. */
  device: z.string(),
  /** Whether the device belongs to the caller's session. */
  is_current: z.boolean(),
  /** When the session of the device was last used. */
  last_used_at: timestamp,
  /** The hours during which notifications wait, or null if there are none. */
  quiet_hours: z.nullable(storedQuietHours),
  /** The newest notification, or null if there was none. */
  last_delivery: z.nullable(lastDelivery),
  /** Number of notifications that failed permanently and were not sent again. */
  failed: z.number(),
  revision: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type PushDevice = z.output<typeof pushDevice>

/** A point on the curve P-256, uncompressed: 65 bytes in base64url. */
const PUBLIC_KEY = /^B[A-Za-z0-9_-]{86}$/
/** 16 bytes in base64url. */
const AUTH_SECRET = /^[A-Za-z0-9_-]{21}[AQgw]$/

export const addPushDeviceBody = z.object({
  /** The address at the push service, as the browser returns it. */
  endpoint: requiredText(2000, 'endpoint', 'endpoint is missing', isWellFormed).check(
    z.refine(
      (value) => /^https:/i.test(value) && isWebAddress(value),
      'endpoint must be an https address without a user name',
    ),
  ),
  keys: z.object({
    p256dh: z.string().check(z.regex(PUBLIC_KEY, 'p256dh is not a public key')),
    auth: z.string().check(z.regex(AUTH_SECRET, 'auth is not a secret of 16 bytes')),
  }),
})
export type AddPushDeviceBody = z.output<typeof addPushDeviceBody>

export const updatePushDeviceBody = z.object({ quiet_hours: z.nullable(quietHours) })
export type UpdatePushDeviceBody = z.output<typeof updatePushDeviceBody>

/** The content of a notification, as the service worker receives it. Push services cannot read it. */
export const pushMessage = z.object({
  title: z.string(),
  body: z.string(),
  /** The page to open, as a path. */
  path: z.string(),
  /** A notification replaces the previous one with the same tag. */
  tag: z.string(),
})
export type PushMessage = z.output<typeof pushMessage>

export const getPushKey = get('/api/push/key', 'signed-in', {
  summary: 'The public key with which a browser subscribes to notifications',
  returns: z.object({
    /** A VAPID key in base64url. */
    public_key: z.string(),
  }),
})

export const listPushDevices = list('/api/push/devices', 'signed-in', {
  summary: "The caller's devices with notifications, newest first",
  of: pushDevice,
})

export const getPushDevice = get('/api/push/devices/:id', 'signed-in', {
  summary: 'One device of the caller',
  returns: pushDevice,
})

export const addPushDevice = post('/api/push/devices', 'signed-in', {
  summary: "Send notifications to the browser of the caller's session; repeating it replaces the address",
  body: addPushDeviceBody,
  returns: pushDevice,
  errors: ['PUSH_ADDRESS_REFUSED', 'TOO_MANY_PUSH_DEVICES'],
})

export const updatePushDevice = put('/api/push/devices/:id', 'signed-in', {
  summary: 'Change the quiet hours of a device. Needs If-Match',
  body: updatePushDeviceBody,
  returns: pushDevice,
  errors: ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

export const removePushDevice = del('/api/push/devices/:id', 'signed-in', {
  summary: 'Send no more notifications to a device, and delete its delivery log',
})

export const listPushDeliveries = list('/api/push/devices/:id/deliveries', 'signed-in', {
  summary: `Notifications of the last ${DELIVERY_RETENTION_DAYS} days, newest first`,
  of: channelDelivery,
})

export const testPushDevice = post('/api/push/devices/:id/test', 'signed-in', {
  summary: 'Send a test notification once, even in quiet hours',
  returns: channelDelivery,
})

export const replayPushDelivery = post('/api/push/devices/:id/deliveries/:delivery_id/replay', 'signed-in', {
  summary: 'Send a finished notification again; a waiting one stays unchanged',
  params: z.object({ id: z.uuid(), delivery_id: z.uuid() }),
  returns: channelDelivery,
  errors: ['DELIVERY_NOT_FOUND'],
})
