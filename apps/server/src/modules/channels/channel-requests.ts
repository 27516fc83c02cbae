import type { ChannelKind } from '@pegasus/contracts/channels/channels'
import { CHANNEL_EVENT_TYPES } from '@pegasus/contracts/channels/channels'
import { createHmac } from 'node:crypto'
import type { OutboundRequest } from '../../platform/outbound/outbound-request.ts'
import type { ChannelEvent } from './channel-event.ts'
import { bytesOfKey } from './channel-keys.ts'

/** Maximum length of a message, which Discord determines. Slack and ntfy accept longer ones. */
const MAX_MESSAGE_LENGTH = 1900

interface Target {
  kind: ChannelKind
  address: string
  /** The signing keys of a webhook, newest first; for ntfy, the access token. */
  keys: readonly string[]
}

/**
 * Returns the HTTP request that tells a channel about an event, and the address to which to send it. `id` is the same
 * for every attempt.
 */
export function channelRequest(
  target: Target,
  { id, event, now }: { id: string; event: ChannelEvent; now: Date },
): { address: string; request: OutboundRequest } {
  switch (target.kind) {
    case 'webhook':
      return { address: target.address, request: webhookRequest(target.keys, { id, event, now }) }
    case 'slack':
      return { address: target.address, request: json(slackMessage(event)) }
    case 'discord':
      return { address: target.address, request: json(discordMessage(event)) }
    case 'ntfy':
      return ntfyRequest(target, event)
  }
}

const json = (body: object, headers: Record<string, string> = {}): OutboundRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Returns the request to a webhook, in the format of Standard Webhooks. It is signed with each valid key. */
function webhookRequest(
  keys: readonly string[],
  { id, event, now }: { id: string; event: ChannelEvent; now: Date },
): OutboundRequest {
  const { kind, at, title, sentence, url, entity_id, facts } = event
  const body = JSON.stringify({
    type: CHANNEL_EVENT_TYPES[kind],
    timestamp: at,
    data: { entity_id, title, sentence, url, ...facts },
  })
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = keys.map(
    (key) =>
      `v1,${createHmac('sha256', bytesOfKey(key)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  }
}

const shorten = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text

/** Escapes the three characters with which Slack marks up text, links and mentions. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const slackMessage = ({ headline, title, sentence, url }: ChannelEvent) => ({
  text: `*${escapeSlack(shorten(`${headline}: ${title}`))}*\n${escapeSlack(shorten(sentence))}\n<${url}|Show it>`,
})

/** Escapes the characters of Discord's Markdown. */
const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|>#[\]()<@:-]/g, String.raw`\$&`)

const discordMessage = ({ headline, title, sentence, url }: ChannelEvent) => ({
  content: `${shorten(`**${escapeMarkdown(`${headline}: ${title}`)}**\n${escapeMarkdown(sentence)}`)}\n<${url}>`,
  // A name in an order must not be able to mention everybody in the chat.
  allowed_mentions: { parse: [] },
})

/** The kinds of events to which a person should react soon. For these, ntfy plays a sound even on a silent phone. */
const URGENT: ReadonlySet<ChannelEvent['kind']> = new Set([
  'printer_error',
  'order_cancelled',
  'backup_failed',
])
/** Returns whether a person should react soon to this kind of event. */
export const isUrgent = (kind: ChannelEvent['kind']): boolean => URGENT.has(kind)

const NTFY_DEFAULT = 3
const NTFY_HIGH = 4

/**
 * Returns the topic, which is the end of an ntfy address. Returns null if there is none, or if it cannot be decoded.
 */
export function topicOf(address: string): string | null {
  const { pathname } = new URL(address)
  try {
    return decodeURIComponent(pathname.replace(/\/+$/, '').split('/').at(-1) ?? '') || null
  } catch {
    // The address contains a percent sign that encodes nothing.
    return null
  }
}

/**
 * Returns the request to ntfy: JSON to the root of its server, with the topic as a field. HTTP headers could not
 * contain all characters of a message.
 */
function ntfyRequest(
  { address, keys: [accessToken] }: Target,
  { kind, headline, title, sentence, url }: ChannelEvent,
): { address: string; request: OutboundRequest } {
  const server = new URL(address)
  const path = server.pathname.replace(/\/+$/, '')
  server.pathname = path.slice(0, path.lastIndexOf('/') + 1)
  server.search = ''
  return {
    address: server.href,
    request: json(
      {
        topic: topicOf(address),
        title: shorten(`${headline}: ${title}`),
        message: shorten(sentence),
        click: url,
        priority: isUrgent(kind) ? NTFY_HIGH : NTFY_DEFAULT,
      },
      accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` },
    ),
  }
}
