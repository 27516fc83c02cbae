import { isTitleText } from '@pegasus/contracts/alerts/alert-texts'
import type { PushMessage } from '@pegasus/contracts/channels/push-devices'
import type { Language } from '@pegasus/contracts/texts/languages'
import { createHash } from 'node:crypto'
import webPush from 'web-push'
import { DAY_MS, SECOND_MS } from '../../../platform/clock.ts'
import type { OutboundRequest } from '../../../platform/outbound/outbound-request.ts'
import { translatorTo } from '../../../platform/server-texts.ts'
import type { ChannelEvent } from '../channel-event.ts'
import { isUrgent } from '../channel-requests.ts'

/** How long a push service keeps a message for a device that is switched off. */
const TTL_SECONDS = DAY_MS / SECOND_MS
const TEST_TTL_SECONDS = 60
/**
 * Maximum length of the texts. Push services accept 4 KB including the encryption, and in JSON a character can take up
 * to six bytes.
 */
const TITLE_LENGTH = 120
const BODY_LENGTH = 300
const PATH_LENGTH = 1000
const TOPIC_LENGTH = 32

/** The address and the keys that a browser created when it subscribed. */
export interface PushSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Returns an event with its texts in the language of the device's owner. Names in it are not translated. */
export function inLanguage(event: ChannelEvent, language: Language): ChannelEvent {
  const translate = translatorTo(language)
  const { headline, title, sentence } = event
  return {
    ...event,
    headline: translate(headline),
    title: isTitleText(event) ? translate(title) : title,
    sentence: translate(sentence),
  }
}

/** Returns the message that a device shows for an event. Events about the same subject have the same tag. */
export function pushMessageOf({
  kind,
  headline,
  title,
  sentence,
  url,
  entity_id,
}: ChannelEvent): PushMessage {
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  return {
    title: shorten(`${headline}: ${title}`, TITLE_LENGTH),
    body: shorten(sentence, BODY_LENGTH),
    path: path.length > PATH_LENGTH ? '/' : path,
    tag: hashOf(`${kind}/${entity_id ?? title}`).slice(0, TOPIC_LENGTH),
  }
}

/**
 * Returns the request that sends an event to a device. It is encrypted for the device (RFC 8291) and signed for its
 * push service (RFC 8292). `contact` is an address at which the push service can reach the operator.
 */
export function pushRequest(
  { endpoint, keys }: PushSubscription,
  event: ChannelEvent,
  vapid: { contact: string; publicKey: string; privateKey: string },
): { address: string; request: OutboundRequest } {
  const message = pushMessageOf(event)
  const { contact: subject, publicKey, privateKey } = vapid
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message), {
    vapidDetails: { subject, publicKey, privateKey },
    TTL: event.kind === 'test' ? TEST_TTL_SECONDS : TTL_SECONDS,
    urgency: isUrgent(event.kind) || event.kind === 'test' ? 'high' : 'normal',
    // The message replaces an older one with the same topic that the push service still keeps.
    topic: message.tag,
  })
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return { address: endpoint, request: { method: 'POST', headers: Object.fromEntries(texts), body } }
}
