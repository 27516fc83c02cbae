import { PRINT_JOB_STATUSES, type PrintJobStatus, STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { Ellipsis, type LucideIcon, Plus, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { MainAction } from '@/components/kit/main-action.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'

interface QueueHeadProps {
  /** The status filter; null for all unfinished jobs. */
  status: PrintJobStatus | null
  onStatus: (status: PrintJobStatus | null) => void
  /** The counts of the queue. */
  summary: ReactNode
  /** Links to the other pages of the queue. On a phone they are in a menu, so that the first job is near the top. */
  links: readonly { to: string; label: string; Icon: LucideIcon }[]
  queries: readonly { refetch: () => Promise<unknown> }[]
  /** Null for people who cannot add jobs. */
  onAdd: (() => void) | null
}

/** The line above the queue: its counts, its status filter, its other pages and its main action. */
export function QueueHead({ status, onStatus, summary, links, queries, onAdd }: QueueHeadProps) {
  const isPhone = useIsPhone()
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 phone:mb-2">
      <h1 className="text-page font-[620] phone:sr-only">Print Queue</h1>
      <p
        role="status"
        className="min-h-5 text-ink-3 phone:order-1 phone:min-h-4 phone:w-full phone:text-caption"
      >
        {summary}
      </p>
      <div className="ml-auto flex items-center gap-2 phone:w-full">
        <Select
          aria-label="Status"
          value={status ?? ''}
          onChange={(event) =>
            onStatus(PRINT_JOB_STATUSES.find((each) => each === event.target.value) ?? null)
          }
          className="w-40 phone:min-w-0 phone:flex-1"
        >
          <option value="">Unfinished</option>
          <Options
            of={PRINT_JOB_STATUSES.map((each) => ({ value: each, label: STATUS_DISPLAY[each].label }))}
          />
        </Select>
        {isPhone ? (
          <DropdownMenu
            trigger={
              <IconButton label="More about the queue">
                <Ellipsis {...ICON} />
              </IconButton>
            }
          >
            {links.map(({ to, label, Icon }) => (
              <MenuItem key={label} asChild>
                <Link to={to}>
                  <Icon {...ICON} />
                  {label}
                </Link>
              </MenuItem>
            ))}
            <MenuItem
              icon={<RefreshCw {...ICON} />}
              onSelect={() => void Promise.allSettled(queries.map((query) => query.refetch()))}
            >
              Refresh
            </MenuItem>
          </DropdownMenu>
        ) : (
          <>
            {links.map(({ to, label, Icon }) => (
              <Link key={label} to={to} className={buttonClass({ variant: 'ghost' })}>
                <Icon {...ICON} />
                {label}
              </Link>
            ))}
            <RefreshButton queries={queries} />
          </>
        )}
        {onAdd ? <MainAction label="Add Job" icon={<Plus {...ICON} />} onClick={onAdd} /> : null}
      </div>
    </div>
  )
}
