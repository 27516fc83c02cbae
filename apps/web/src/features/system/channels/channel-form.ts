import { ALERT_KINDS } from '@pegasus/contracts/alerts'
import {
  type Channel,
  type CreateChannelBody,
  createChannelBody,
  isTimeZone,
  type UpdateChannelBody,
  updateChannelBody,
} from '@pegasus/contracts/channels'
import { type FormText, readResult, type ReadResult } from '@/lib/forms/form-merge.ts'

export const CHANNEL_LABELS = {
  kind: 'Kind',
  name: 'Name',
  address: 'Address',
  access_token: 'Access token',
  events: 'Events',
  is_enabled: 'State',
  quiet_from: 'Quiet from',
  quiet_until: 'Quiet until',
  time_zone: 'Time zone',
} as const
export type ChannelField = keyof typeof CHANNEL_LABELS
export type ChannelForm = FormText<ChannelField>

/** The zone of this browser; UTC if the browser has only an abbreviation. */
const ownTimeZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

/** The form of a new channel. Initially, it selects all events that may require action by a person. */
export const newChannelForm = (): ChannelForm => ({
  kind: 'webhook',
  name: '',
  address: '',
  access_token: '',
  events: ALERT_KINDS.filter((kind) => kind !== 'job_finished' && kind !== 'order_shipped').join(','),
  is_enabled: 'true',
  quiet_from: '',
  quiet_until: '',
  time_zone: ownTimeZone(),
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
  quiet_from: channel.quiet_hours?.from ?? '',
  quiet_until: channel.quiet_hours?.until ?? '',
  time_zone: channel.quiet_hours?.time_zone ?? ownTimeZone(),
})

export const eventsOf = (form: ChannelForm): string[] => form.events.split(',').filter(Boolean)

const quietHoursOf = ({ quiet_from: from, quiet_until: until, time_zone }: ChannelForm) =>
  from === '' && until === '' ? null : { from, until, time_zone }

const QUIET_ERROR = 'Enter both times, or neither.'

/** Returns an error if only one time of the quiet hours is filled in; otherwise null. */
function quietError({ quiet_from: from, quiet_until: until }: ChannelForm) {
  if ((from === '') === (until === '')) return null
  return from === '' ? { quiet_from: QUIET_ERROR } : { quiet_until: QUIET_ERROR }
}

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
