import type { User } from '@pegasus/contracts/users/users'
import { ShieldCheck } from 'lucide-react'
import type { Column } from '@/components/data-table.tsx'
import { Avatar } from '@/components/ui/display/avatar.tsx'
import { RoleBadge, StatusBadge } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { formatAgo, formatDateTime } from '@/lib/format/format.ts'
import { contactOf, isToApprove, mayManage, nameOf, PERSON_LOOKS, statusLabel } from './account-labels.ts'
import { t } from '@/lib/i18n/messages.ts'
import { roleLabel } from '@/lib/i18n/roles.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface PersonRowOptions {
  nowMs: number
  /**
   * Role of the signed-in person, who may approve accounts; null if a hosted project holds the accounts, because nobody
   * approves accounts here then.
   */
  ownRole: string | null
  onOpen: (person: User) => void
  onApprove: (person: User) => void
  onDecline: (person: User) => void
}

export const AccountStatusBadge = ({ person }: { person: User }) => (
  <StatusBadge status={person.status} tone={PERSON_LOOKS[person.status].tone}>
    {statusLabel(person)}
  </StatusBadge>
)

const isMineToApprove = (person: User, ownRole: string | null): boolean =>
  ownRole !== null && isToApprove(person) && mayManage(ownRole, person)

const lastSignIn = ({ last_login: at }: User, nowMs: number): string =>
  at ? formatAgo(at, nowMs) : t('never')

export const accountColumns = ({
  nowMs,
  ownRole,
  onOpen,
  onApprove,
  onDecline,
}: PersonRowOptions): readonly Column<User>[] => [
  {
    id: 'person',
    head: t('Person'),
    track: 'minmax(150px, 2.4fr)',
    value: nameOf,
    cell: (person) => (
      <span className="flex items-center gap-3">
        <Avatar name={nameOf(person)} className="size-9! text-label!" />
        <span className="min-w-0">
          <bdi className="block truncate font-medium" title={nameOf(person)}>
            {nameOf(person)}
          </bdi>
          <span className="block truncate text-caption text-ink-3" title={contactOf(person)}>
            {joinFacts([person.username, contactOf(person)])}
          </span>
        </span>
      </span>
    ),
  },
  {
    id: 'role',
    head: t('Role'),
    track: '96px',
    value: ({ role }) => roleLabel(role),
    cell: (person) => <RoleBadge role={person.role} />,
  },
  {
    id: 'status',
    head: t('Status'),
    track: 'minmax(168px, 1fr)',
    from: 760,
    value: statusLabel,
    cell: (person) => <AccountStatusBadge person={person} />,
  },
  {
    id: 'access',
    head: t('System access'),
    track: '108px',
    from: 1040,
    value: ({ system_access: may }) => (may ? t('may own keys') : t('owns no keys')),
    cell: (person) => (
      <span className="text-ink-2">{person.system_access ? t('may own keys') : t('owns no keys')}</span>
    ),
  },
  {
    id: 'factor',
    head: t('Second factor'),
    track: '104px',
    from: 1180,
    value: ({ has_second_factor: has }) => (has ? t('on') : t('off')),
    cell: (person) =>
      person.has_second_factor ? (
        <span className="flex items-center gap-1.5">
          <ShieldCheck size={16} strokeWidth={1.75} className="text-ink-3" aria-hidden />
          {t('on')}
        </span>
      ) : (
        <span className="text-ink-3">{t('off')}</span>
      ),
  },
  {
    id: 'last',
    head: t('Last sign-in'),
    track: '120px',
    from: 900,
    value: (person) => person.last_login,
    cell: (person) => (
      <span
        className="block truncate text-ink-2"
        title={person.last_login ? formatDateTime(person.last_login) : undefined}
      >
        {lastSignIn(person, nowMs)}
      </span>
    ),
  },
  {
    id: 'actions',
    head: t('Actions'),
    track: '236px',
    isNumber: true,
    cell: (person) => (
      <span className="flex justify-end gap-2">
        {isMineToApprove(person, ownRole) ? (
          <>
            <Button
              size="sm"
              variant="primary"
              aria-label={t('Approve {person}', { person: nameOf(person) })}
              onClick={() => onApprove(person)}
            >
              {t('Approve')}
            </Button>
            <Button
              size="sm"
              aria-label={t('Decline {person}', { person: nameOf(person) })}
              onClick={() => onDecline(person)}
            >
              {t('Decline')}
            </Button>
          </>
        ) : null}
        <Button
          size="sm"
          aria-label={t('Open {person}', { person: nameOf(person) })}
          onClick={() => onOpen(person)}
        >
          {t('Open')}
        </Button>
      </span>
    ),
  },
]

interface PersonRowProps extends Pick<PersonRowOptions, 'nowMs' | 'ownRole'> {
  person: User
  onOpen: () => void
  onApprove: () => void
}

/** Shows an account as a row on phones. Only the account's dialog has the button *Decline*. */
export const AccountRow = ({ person, nowMs, ownRole, onOpen, onApprove }: PersonRowProps) => (
  <div className="flex items-center gap-2 pe-4">
    <div className="relative flex min-h-[84px] min-w-0 flex-1 items-center gap-3 py-3 ps-4">
      <Avatar name={nameOf(person)} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <button
            type="button"
            onClick={onOpen}
            className="min-w-0 truncate text-start font-medium after:absolute after:inset-0"
          >
            <span className="sr-only">{t('Open')} </span>
            <bdi>{nameOf(person)}</bdi>
          </button>
          <RoleBadge role={person.role} />
        </span>
        <span className="block truncate text-caption text-ink-3">{contactOf(person)}</span>
        <span className="mt-1 flex items-center gap-2 text-caption text-ink-3">
          <AccountStatusBadge person={person} />
          {person.last_login ? lastSignIn(person, nowMs) : null}
        </span>
      </span>
    </div>
    {isMineToApprove(person, ownRole) ? (
      <Button
        variant="primary"
        aria-label={t('Approve {person}', { person: nameOf(person) })}
        onClick={onApprove}
      >
        {t('Approve')}
      </Button>
    ) : null}
  </div>
)
