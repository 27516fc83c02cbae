import { type Channel, CHANNEL_KIND_NAMES } from '@pegasus/contracts/channels/channels'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { withParams } from '@/lib/browser/address-state.ts'
import { ChannelDialog } from './channel-dialog.tsx'
import { AddChannelDialog, EditChannelDialog } from './channel-form-dialogs.tsx'
import { channelsQuery } from './channels.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

type Open = { dialog: 'add' } | { dialog: 'edit'; id: string }

/** Lists the webhooks, chats and push services that get events. */
export function ChannelsCard() {
  const channels = useQuery(channelsQuery)
  const [open, setOpen] = useState<Open | null>(null)
  // The delivery log has an address, so that other cards can link to it.
  const [params, setParams] = useSearchParams()
  const show = (id: string | null) =>
    setParams((before) => withParams(before, { channel: id }), { replace: true })
  const items = channels.data?.items ?? []
  const edited = open?.dialog === 'edit' ? items.find(({ id }) => id === open.id) : undefined
  const shownChannel = open ? undefined : items.find(({ id }) => id === params.get('channel'))
  const close = () => setOpen(null)
  return (
    <Card
      title={t('Channels')}
      aside={
        <Button
          size="sm"
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setOpen({ dialog: 'add' })}
        >
          {t('Add channel')}
        </Button>
      }
    >
      <QueryError query={channels} message={t('The channels could not be loaded.')} />
      {channels.isPending ? (
        <SkeletonLines label={t('Loading the channels')} count={2} className="flex flex-col gap-3 p-4" />
      ) : null}
      {channels.isSuccess && items.length === 0 ? (
        <p className="p-4 text-ink-2">
          {t(
            'Send events about orders, prints and stock to a chat, a phone or a program: by webhook, Slack, Discord or ntfy.',
          )}
        </p>
      ) : null}
      {items.length > 0 ? (
        <ul aria-label={t('Channels')} className="divide-y divide-line">
          {items.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} onOpen={() => show(channel.id)} />
          ))}
        </ul>
      ) : null}
      {open?.dialog === 'add' ? <AddChannelDialog onClose={close} /> : null}
      {shownChannel ? (
        <ChannelDialog
          channel={shownChannel}
          onEdit={() => {
            show(null)
            setOpen({ dialog: 'edit', id: shownChannel.id })
          }}
          onClose={() => show(null)}
        />
      ) : null}
      {edited ? <EditChannelDialog channel={edited} onClose={close} /> : null}
    </Card>
  )
}

function ChannelRow({ channel, onOpen }: { channel: Channel; onOpen: () => void }) {
  const { name, kind, shown_address: address, events, quiet_hours: quiet, waiting } = channel
  const { disabled_reason: reason } = channel
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <button type="button" onClick={onOpen} className="link font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </button>
        <p className="mt-0.5 text-caption text-ink-3 wrap-anywhere">
          {joinFacts([
            CHANNEL_KIND_NAMES[kind],
            address,
            t('{events, plural, one {# event} other {# events}}', { events: events.length }),
            ...(waiting > 0
              ? [t('{waiting, plural, one {# delivery waits} other {# deliveries wait}}', { waiting })]
              : []),
            ...(quiet ? [t('quiet from {from} to {until}', { from: quiet.from, until: quiet.until })] : []),
          ])}
        </p>
        {reason ? <p className="mt-1 text-label font-medium text-red-ink">{reason}</p> : null}
      </div>
      <ChannelState channel={channel} />
    </li>
  )
}

function ChannelState({ channel: { is_enabled: isEnabled, failed } }: { channel: Channel }) {
  if (!isEnabled)
    return (
      <StatusBadge status="off" tone="grey">
        {t('Off')}
      </StatusBadge>
    )
  if (failed > 0)
    return (
      <StatusBadge status="failed" tone="red">
        {t('{failed} failed', { failed })}
      </StatusBadge>
    )
  return (
    <StatusBadge status="on" tone="green">
      {t('On')}
    </StatusBadge>
  )
}
