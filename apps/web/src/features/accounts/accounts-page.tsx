import { ROLES } from '@pegasus/contracts/roles'
import { ACCOUNT_STATUSES, type User } from '@pegasus/contracts/users/users'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { choiceFilter, type ListFilters, searchFilter, useListState } from '@/components/kit/list-filters.tsx'
import { ListPage, type ListTexts } from '@/components/kit/list-page.tsx'
import { MainAction } from '@/components/kit/main-action.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { useConfig, useProjectUrl } from '@/lib/http/config.ts'
import { CreateAccountDialog } from './create-account-dialog.tsx'
import { OutboxList } from './outbox-list.tsx'
import {
  type AccountFilters,
  readFilters,
  readAccount,
  readView,
  withFilters,
  withAccount,
  withView,
} from './accounts-address.ts'
import { accountListQuery } from './accounts.queries.ts'
import { AccountRow, accountColumns } from './account-columns.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { PERSON_LOOKS } from './account-labels.ts'
import { approval, refusal, reportFailure, useAccountMutations } from './use-account-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'
import { ROLE_LABELS } from '@/lib/i18n/roles.ts'

/** Loaded only if single sign-on is enabled. */
const SsoView = onDemand(async () => (await import('./sso/sso-view.tsx')).SsoView)

/** The People tab: the accounts with their roles, the unsent emails, and the providers for single sign-on. */
export function AccountsPage() {
  const [params, setParams] = useSearchParams()
  const hasSso = useConfig()?.sso ?? false
  const asked = readView(params)
  const view = asked === 'sso' && !hasSso ? 'people' : asked
  return (
    <>
      <h1 className="sr-only">{t('People')}</h1>
      <SegmentedControl
        label={t('View')}
        value={view}
        options={{ people: t('People'), mails: t('Emails'), ...(hasSso && { sso: t('Single sign-on') }) }}
        onChange={(next) => setParams(withView(params, next))}
        className="mb-4 phone:-mt-1 phone:mb-0.5"
      />
      {view === 'people' ? <PeopleList /> : null}
      {view === 'mails' ? <OutboxList /> : null}
      {view === 'sso' ? <SsoView /> : null}
    </>
  )
}

const FIELDS: ListFilters<AccountFilters> = [
  searchFilter(t('Search name, username or email')),
  choiceFilter({
    name: 'role',
    label: t('Role'),
    any: t('Any role'),
    clearLabel: t('Clear role'),
    values: ROLES,
    labelOf: (role) => ROLE_LABELS[role],
    className: 'w-32',
  }),
  choiceFilter({
    name: 'status',
    label: t('Status'),
    any: t('Any status'),
    clearLabel: t('Clear status'),
    values: ACCOUNT_STATUSES,
    labelOf: (status) => PERSON_LOOKS[status].label,
    className: 'w-48',
  }),
]

const TEXTS: ListTexts = {
  name: t('The list of people'),
  one: 'person',
  loading: t('Loading the people'),
  noMatches: t('Nobody found'),
}

function PeopleList() {
  const state = useListState({
    read: readFilters,
    write: withFilters,
    fields: FIELDS,
    query: accountListQuery,
  })
  const { params, setParams } = state
  const nowMs = useNow()
  const { role } = useCurrentUser()
  const [isCreating, setIsCreating] = useState(false)
  const isInProject = useProjectUrl() !== null
  const approverRole = isInProject ? null : role
  const actions = useAccountMutations()
  const openAccount = (id: string | null) => setParams(withAccount(params, id))
  const approve = (person: User) => void actions.update(approval(person)).catch(reportFailure)
  const decline = (person: User) => void actions.update(refusal(person)).catch(reportFailure)
  return (
    <ListPage
      heading={null}
      state={state}
      texts={TEXTS}
      actions={
        isInProject ? null : (
          <MainAction
            label={t('Add person')}
            icon={<UserPlus size={16} strokeWidth={1.75} aria-hidden />}
            onClick={() => setIsCreating(true)}
          />
        )
      }
      empty={{
        icon: Users,
        title: t('Nobody here yet'),
        text: isInProject
          ? t('People appear here after their first sign-in.')
          : t('Add colleagues here, or approve them after they have signed up.'),
      }}
      rows={{
        name: 'people',
        label: t('People'),
        columns: accountColumns({
          nowMs,
          ownRole: approverRole,
          onOpen: ({ id }) => openAccount(id),
          onApprove: approve,
          onDecline: decline,
        }),
        rowHeight: 60,
        phoneRow: (person) => (
          <AccountRow
            person={person}
            nowMs={nowMs}
            ownRole={approverRole}
            onOpen={() => openAccount(person.id)}
            onApprove={() => approve(person)}
          />
        ),
        phoneRowHeight: 92,
        hasPictures: false,
      }}
    >
      <CreateAccountDialog isOpen={isCreating} ownRole={role} onClose={() => setIsCreating(false)} />
      <AccountDialog id={readAccount(params)} onClose={() => openAccount(null)} />
    </ListPage>
  )
}
