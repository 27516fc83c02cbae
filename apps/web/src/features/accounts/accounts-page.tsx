import { ROLES } from '@pegasus/contracts/roles'
import { ACCOUNT_STATUSES, type User } from '@pegasus/contracts/users/users'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { type AppliedFilter, NoMatches } from '@/components/no-matches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useList } from '@/lib/http/use-list.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { CreateAccountDialog } from './create-account-dialog.tsx'
import { OutboxList } from './outbox-list.tsx'
import {
  NO_FILTERS,
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
import { approval, refusal, tellFailure, useAccountMutations } from './use-account-mutations.ts'

const ROW_HEIGHT = 60
const PHONE_ROW_HEIGHT = 92

/** Who may come in and what they may do; and the mails that nobody else will bring them. */
export function AccountsPage() {
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  return (
    <>
      <h1 className="sr-only">People</h1>
      <SegmentedControl
        label="View"
        value={view}
        options={[
          { value: 'people', label: 'People' },
          { value: 'mails', label: 'Mails' },
        ]}
        onChange={(next) => setParams(withView(params, next))}
        className="mb-4 phone:mb-3"
      />
      {view === 'people' ? <PeopleList /> : <OutboxList />}
    </>
  )
}

function PeopleList() {
  const [params, setParams] = useSearchParams()
  const nowMs = useNow()
  const { role: ownRole } = useCurrentUser()
  const [isCreating, setIsCreating] = useState(false)
  const actions = useAccountMutations()
  const filters = readFilters(params)
  const { list, items, count, isLoading, isEmpty, paging } = useList(accountListQuery(filters))
  const apply = (next: AccountFilters) => setParams(withFilters(params, next))
  const applied = appliedFilters(filters, apply)
  const open = (id: string | null) => setParams(withAccount(params, id))
  const approve = (person: User) => void actions.update(approval(person)).catch(tellFailure)
  const decline = (person: User) => void actions.update(refusal(person)).catch(tellFailure)
  return (
    <>
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) =>
          apply({
            search: field('search'),
            role: ROLES.find((role) => role === field('role')) ?? null,
            status: ACCOUNT_STATUSES.find((status) => status === field('status')) ?? null,
          })
        }
        count={count}
        one="person"
        many="people"
        actions={
          <Button
            variant="primary"
            icon={<UserPlus size={16} strokeWidth={1.75} aria-hidden />}
            onClick={() => setIsCreating(true)}
          >
            Add person
          </Button>
        }
      >
        <SearchField label="Search name, username or email" value={filters.search} />
        <Select
          name="role"
          aria-label="Role"
          defaultValue={filters.role ?? ''}
          className="w-32 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Any role</option>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </Select>
        <Select
          name="status"
          aria-label="Status"
          defaultValue={filters.status ?? ''}
          className="w-48 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Any status</option>
          {ACCOUNT_STATUSES.map((status) => (
            <option key={status} value={status}>
              {PERSON_LOOKS[status].label}
            </option>
          ))}
        </Select>
      </FilterBar>
      <ListError name="The list of people" list={list} />
      {isLoading ? (
        <TableSkeleton
          label="Loading the people"
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
          hasPictures={false}
        />
      ) : null}
      {isEmpty && applied.length > 0 ? (
        <NoMatches title="Nobody found" filters={applied} onClearAll={() => apply(NO_FILTERS)} />
      ) : null}
      {isEmpty && applied.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<Users size={28} strokeWidth={1.4} aria-hidden />}
            title="Nobody here yet"
            titleLevel={2}
          >
            Colleagues are added here, or wait here for approval once they have signed up.
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <DataTable
          {...paging}
          label="People"
          columns={accountColumns({
            nowMs,
            ownRole,
            onOpen: ({ id }) => open(id),
            onApprove: approve,
            onDecline: decline,
          })}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRow={(person) => (
            <AccountRow
              person={person}
              nowMs={nowMs}
              ownRole={ownRole}
              onOpen={() => open(person.id)}
              onApprove={() => approve(person)}
            />
          )}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
      <CreateAccountDialog isOpen={isCreating} ownRole={ownRole} onClose={() => setIsCreating(false)} />
      <AccountDialog id={readAccount(params)} onClose={() => open(null)} />
    </>
  )
}

function appliedFilters(filters: AccountFilters, apply: (next: AccountFilters) => void): AppliedFilter[] {
  const { search, role, status } = filters
  const found: (AppliedFilter | null)[] = [
    search
      ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: () => apply({ ...filters, search: '' }) }
      : null,
    role ? { name: role, clearLabel: 'Clear role', onClear: () => apply({ ...filters, role: null }) } : null,
    status
      ? {
          name: PERSON_LOOKS[status].label,
          clearLabel: 'Clear status',
          onClear: () => apply({ ...filters, status: null }),
        }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}
