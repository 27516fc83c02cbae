import { ALERT_KINDS } from '@pegasus/contracts/alerts/alerts'
import {
  type Channel,
  type CreateChannelBody,
  createChannelBody,
  type UpdateChannelBody,
  updateChannelBody,
} from '@pegasus/contracts/channels/channels'
import { QUIET_LABELS, quietError, quietForm, quietHoursOf } from '@/lib/forms/quiet-hours.ts'
import { type FormText, readResult, type ReadResult } from '@/lib/forms/form-merge.ts'
import { t } from '@/lib/i18n/messages.ts'

export const CHANNEL_LABELS = {
  kind: t('Kind'),
  name: t('Name'),
  address: t('Address'),
  access_token: t('Access token'),
  events: t('Events'),
  is_enabled: t('State'),
  ...QUIET_LABELS,
} as const
export type ChannelField = keyof typeof CHANNEL_LABELS
export type ChannelForm = FormText<ChannelField>

/** The form of a new channel. Initially, it selects all events that may require action by a person. */
export const newChannelForm = (): ChannelForm => ({
  kind: 'webhook',
  name: '',
  address: '',
  access_token: '',
  events: ALERT_KINDS.filter((kind) => kind !== 'job_finished' && kind !== 'order_shipped').join(','),
  is_enabled: 'true',
  ...quietForm(null),
})

/**
 * Address and access token are secret, so the server does not send them and the form of a channel starts
 * without them. An empty field keeps the stored value.
 */
export const channelForm = (channel: Channel): ChannelForm => ({
  kind: channel.kind,
  name: channel.name,
  address: '',
  access_token: '',
  events: ALERT_KINDS.filter((kind) => channel.events.includes(kind)).join(','),
  is_enabled: String(channel.is_enabled),
  ...quietForm(channel.quiet_hours),
})

export const eventsOf = (form: ChannelForm): string[] => form.events.split(',').filter(Boolean)

export function readNewChannel(form: ChannelForm): ReadResult<CreateChannelBody, ChannelField> {
  const errors = quietError(form)
  if (errors) return { body: null, errors }
  const { kind, name, address, access_token: token } = form
  const body = {
    kind,
    name,
    address,
    events: eventsOf(form),
    quiet_hours: quietHoursOf(form),
    ...(kind === 'ntfy' && token !== '' && { access_token: token }),
  }
  return readResult(createChannelBody.safeParse(body), CHANNEL_LABELS)
}

const QUIET_FIELDS: readonly ChannelField[] = ['quiet_from', 'quiet_until', 'time_zone']

function readChange(
  form: ChannelForm,
  changed: readonly ChannelField[],
): ReadResult<UpdateChannelBody, ChannelField> {
  const errors = quietError(form)
  if (errors) return { body: null, errors }
  const has = (field: ChannelField) => changed.includes(field)
  const body = {
    ...(has('name') && { name: form.name }),
    ...(has('address') && { address: form.address }),
    ...(has('access_token') && { access_token: form.access_token }),
    ...(has('events') && { events: eventsOf(form) }),
    ...(has('is_enabled') && { is_enabled: form.is_enabled === 'true' }),
    ...(QUIET_FIELDS.some(has) && { quiet_hours: quietHoursOf(form) }),
  }
  return readResult(updateChannelBody.safeParse(body), CHANNEL_LABELS)
}

/** The configuration with which EditDialog edits a channel. */
export const CHANNEL_EDIT = { labels: CHANNEL_LABELS, formOf: channelForm, read: readChange }
