import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '@/components/ui/display/card.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { channelsQuery } from './channels/channels.queries.ts'
import { type SystemNeed, listSystemNeeds } from './system-needs.ts'
import { backupsQuery, failedTasksQuery, printersAndShopsQuery, systemQuery } from './system.queries.ts'

/** Says whether the installation needs an administrator, and why. Renders nothing until everything is known. */
export function SystemNeedsCard() {
  const system = useQuery(systemQuery).data
  const failed = useQuery(failedTasksQuery).data
  const backups = useQuery(backupsQuery).data
  const channels = useQuery(channelsQuery).data
  const printersAndShops = useQuery(printersAndShopsQuery).data
  if (!system || !failed || !backups || !channels || !printersAndShops) return null
  const needs = listSystemNeeds({
    system,
    failedTasks: failed.tasks,
    backups,
    channels: channels.items,
    printersAndShops,
  })
  const isFine = needs.length === 0
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
        {isFine
          ? t('Nothing needs you')
          : t('{count, plural, one {# thing needs you} other {# things need you}}', { count: needs.length })}
      </h2>
      {isFine ? null : (
        <ul
          aria-label={t('Needs you')}
          className="grid gap-x-6 gap-y-1 px-4 pb-3 ps-[2.625rem] sm:grid-cols-2 xl:grid-cols-3"
        >
          {needs.map((each) => (
            <li key={each.text} className="min-w-0 wrap-anywhere">
              <Need need={each} />
            </li>
          ))}
        </ul>
      )}
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
