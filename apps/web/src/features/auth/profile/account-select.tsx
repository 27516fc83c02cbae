import type { User } from '@pegasus/contracts/users/users'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import { RoleBadge } from '@/components/ui/display/badge.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Skeleton, SkeletonRows } from '@/components/ui/feedback/skeleton.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatTotal } from '@/lib/format/format.ts'
import { accountsQuery } from './accounts.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface PersonChoiceProps {
  label: string
  value: User | null
  onChange: (user: User) => void
  /** Returns the reason why an account cannot be chosen; null if it can. */
  reasonAgainst: (user: User) => string | null
  isInvalid: boolean
}

/** Selects an account, with a search on the server. */
export function AccountSelect({ label, value, onChange, reasonAgainst, isInvalid }: PersonChoiceProps) {
  const id = useId()
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const people = useQuery(accountsQuery(search))
  return (
    <div className="flex min-w-0 flex-col gap-[5px]">
      <p id={id} className="text-label font-medium after:text-red-ink after:content-['_*'/'']">
        {label}
      </p>
      <div className="rounded-control border border-control has-aria-invalid:border-red has-aria-invalid:shadow-[0_0_0_1px_var(--red)]">
        <Input
          type="search"
          aria-label={t('Search users')}
          placeholder={t('Search by name, username or email')}
          icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Enter in the search field must not submit the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          autoComplete="off"
          className="border-b border-line [&_input]:border-transparent"
        />
        <div
          role="radiogroup"
          aria-labelledby={id}
          aria-required
          aria-invalid={isInvalid || undefined}
          className="h-[212px] overflow-y-auto overscroll-contain p-1"
        >
          {people.isPending ? <PeopleSkeleton /> : null}
          <QueryError query={people} message={t('Failed to load users')} />
          {people.data?.items.map((user) => (
            <PersonRow
              key={user.id}
              user={user}
              group={id}
              isChosen={user.id === value?.id}
              reason={reasonAgainst(user)}
              onChoose={() => onChange(user)}
            />
          ))}
          {people.data ? <ListEnd list={people.data} search={search} /> : null}
        </div>
      </div>
    </div>
  )
}

interface PersonRowProps {
  user: User
  group: string
  isChosen: boolean
  reason: string | null
  onChoose: () => void
}

const PersonRow = ({ user, group, isChosen, reason, onChoose }: PersonRowProps) => (
  <label
    className={cx(
      'flex items-center gap-2.5 rounded-badge px-2 py-1.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent phone:min-h-11',
      isChosen ? 'bg-accent-soft' : reason ? 'cursor-default text-ink-3' : 'hover:bg-hover',
    )}
  >
    <input
      type="radio"
      name={group}
      checked={isChosen}
      disabled={reason !== null}
      onChange={onChoose}
      className="size-4 shrink-0 cursor-pointer appearance-none rounded-full border border-control bg-surface outline-none checked:border-[5px] checked:border-accent disabled:cursor-default disabled:opacity-55"
    />
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium" title={user.full_name || user.username}>
        <bdi className="block truncate">{user.full_name || user.username}</bdi>
      </span>
      <span className={cx('block truncate text-caption', isChosen ? 'text-ink-2' : 'text-ink-3')}>
        {reason ?? (
          <>
            <bdi>{user.username}</bdi>
            {user.email ? (
              <>
                {' '}
                · <bdi>{user.email}</bdi>
              </>
            ) : null}
          </>
        )}
      </span>
    </span>
    <RoleBadge role={user.role} />
  </label>
)

interface ListEndProps {
  list: { items: User[]; total: number; isTotalCapped: boolean }
  search: string
}

function ListEnd({ list, search }: ListEndProps) {
  if (list.items.length === 0)
    return (
      <p className="px-2 py-1.5 text-ink-2 wrap-anywhere">{t('Nobody matches “{search}”.', { search })}</p>
    )
  if (list.items.length < list.total)
    return (
      <p className="px-2 py-1.5 text-caption text-ink-3">
        {t('{items} of {list} users. Search to find the others.', {
          items: list.items.length,
          list: formatTotal(list),
        })}
      </p>
    )
  return null
}

const PeopleSkeleton = () => (
  <SkeletonRows label={t('Loading users')} count={4} rowClass="flex flex-col gap-1.5 px-2 py-2">
    <Skeleton className="h-3.5 w-40" />
    <Skeleton className="h-3 w-56" />
  </SkeletonRows>
)
