import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '@/components/ui/display/card.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { channelsQuery } from './channels/channels.queries.ts'
import { type SystemNeed, listSystemNeeds } from './system-needs.ts'
import { backupsQuery, failedTasksQuery, printersAndShopsQuery, systemQuery } from './system.queries.ts'

/**
 * Says whether the installation needs an administrator, and why. Renders nothing until everything has been read. If a
 * state could not be read, the card says so and shows what is known.
 */
export function SystemNeedsCard() {
  const system = useQuery(systemQuery)
  const failed = useQuery(failedTasksQuery)
  const backups = useQuery(backupsQuery)
  const channels = useQuery(channelsQuery)
  const printersAndShops = useQuery(printersAndShopsQuery)
  const all = [system, failed, backups, channels, printersAndShops]
  if (all.some(({ isPending }) => isPending)) return null
  const isPartial = all.some(({ isError, data }) => isError || data === undefined)
  const needs = listSystemNeeds({
    system: system.data,
    failedTasks: failed.data?.tasks,
    backups: backups.data,
    channels: channels.data?.items,
    printersAndShops: printersAndShops.data,
  })
  const isFine = needs.length === 0 && !isPartial
  const Icon = isFine ? CircleCheck : CircleAlert
  return (
    <Card>
      <h2 className="flex items-center gap-2.5 px-4 py-3 text-body font-semibold">
        <Icon
          size={16}
          strokeWidth={1.75}
          className={isFine ? 'shrink-0 text-green-ink' : 'shrink-0 text-red-ink'}
          aria-hidden
        />
        {needs.length === 0
          ? isPartial
            ? t('Some states could not be loaded')
            : t('Nothing needs you')
          : t('{count, plural, one {# thing needs you} other {# things need you}}', { count: needs.length })}
      </h2>
      {needs.length === 0 ? null : (
        <ul
          aria-label={t('Needs you')}
          className="grid gap-x-6 gap-y-1 px-4 pb-3 ps-[2.625rem] sm:grid-cols-2 xl:grid-cols-3"
        >
          {needs.map((each) => (
            <li
              key={`${each.text} ${'address' in each.to ? each.to.address : each.to.section}`}
              className="min-w-0 wrap-anywhere"
            >
              <Need need={each} />
            </li>
          ))}
        </ul>
      )}
      {needs.length > 0 && isPartial ? (
        <p className="px-4 pb-3 ps-[2.625rem] text-label text-ink-3">
          {t('Some states could not be loaded')}
        </p>
      ) : null}
    </Card>
  )
}

function Need({ need: { text, to } }: { need: SystemNeed }) {
  if ('address' in to)
    return (
      <Link to={to.address} className="link">
        {text}
      </Link>
    )
  const show = () => document.querySelector(`#${to.section}`)?.scrollIntoView({ block: 'start' })
  return (
    <button type="button" className="link text-start" onClick={show}>
      {text}
    </button>
  )
}
