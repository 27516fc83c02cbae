import { hasRole, isRole } from '@pegasus/contracts/roles'
import { getUser, type User } from '@pegasus/contracts/users/users'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Avatar } from '@/components/ui/display/avatar.tsx'
import { RoleBadge } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Skeleton, SkeletonRows } from '@/components/ui/feedback/skeleton.tsx'
import { Switch } from '@/components/ui/forms/switch.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { useProjectUrl } from '@/lib/http/config.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { PEOPLE_KEY } from './accounts.queries.ts'
import { AccountStatusBadge } from './account-columns.tsx'
import { isToApprove, mayManage, nameOf, ROLE_WORDS, rolesToGive } from './account-labels.ts'
import { approval, refusal, useAccountMutations } from './use-account-mutations.ts'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { isolateText } from '@/lib/i18n/languages.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { ROLE_LABELS, roleLabel } from '@/lib/i18n/roles.ts'

const personQuery = (id: string) => apiQuery([PEOPLE_KEY, 'one', id], getUser, { params: { id } })

export const AccountDialog = ({ id, onClose }: { id: string | null; onClose: () => void }) =>
  id ? <OpenDialog key={id} id={id} onClose={onClose} /> : null

function OpenDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(personQuery(id))
  const { data, isError } = query
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={data ? <bdi>{nameOf(data)}</bdi> : t('Person')}
      error={failure}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <QueryError query={query} message={t('The person could not be loaded.')} className="mb-4" />
      {data ? <Person person={data} onFailure={setFailure} /> : isError ? null : <Loading />}
    </Dialog>
  )
}

function emailText({ email, email_confirmed: isConfirmed }: User): string {
  if (email === '') return t('none')
  return isConfirmed ? email : t('{email}, not confirmed', { email })
}

function Person({ person, onFailure }: { person: User; onFailure: (sentence: string | null) => void }) {
  const me = useCurrentUser()
  const isSelf = me.id === person.id
  const canManage = mayManage(me.role, person)
  const projectUrl = useProjectUrl()
  const facts = [
    [t('Email'), emailText(person)],
    ...(person.phone ? [[t('Phone'), `+${person.phone}`]] : []),
    [t('Username'), person.username],
    [t('Second factor'), person.has_second_factor ? t('on') : t('off')],
    [t('Last sign-in'), person.last_login ? formatDateTime(person.last_login) : t('never')],
    [t('Created'), formatDateTime(person.created_at)],
    ...(person.invited_at ? [[t('Invited'), formatDateTime(person.invited_at)]] : []),
  ]
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center gap-3">
        <Avatar name={nameOf(person)} />
        <div className="flex flex-wrap items-center gap-2">
          <RoleBadge role={person.role} />
          <AccountStatusBadge person={person} />
        </div>
      </div>
      <dl className="grid grid-cols-[120px_1fr] gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="min-w-0 font-medium wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {projectUrl !== null ? (
        <p className="text-label text-ink-2">
          {rich('The hosted project at {projectUrl} manages the roles and the sign-in of people.', {
            projectUrl: <bdi>{projectUrl}</bdi>,
          })}
        </p>
      ) : isSelf ? (
        <p className="text-label text-ink-2">
          {person.is_first_owner
            ? t(
                'This is your account. Because it is the first of the installation, it always stays an active owner. You can change your name, email and password in your profile.',
              )
            : t(
                'This is your account. Only another owner can change your role. You can change your name, email and password in your profile.',
              )}
        </p>
      ) : canManage ? (
        <AccountControls person={person} ownRole={me.role} onFailure={onFailure} />
      ) : (
        <p className="text-label text-ink-2">{t('Only an owner can change owners and admins.')}</p>
      )}
    </div>
  )
}

interface AccountControlsProps {
  person: User
  ownRole: string
  onFailure: (sentence: string | null) => void
}

/** The fields of another account that can be changed. Each change is saved immediately. */
function AccountControls({ person, ownRole, onFailure }: AccountControlsProps) {
  const actions = useAccountMutations()
  const [isRemoving, setIsRemoving] = useState(false)
  const name = nameOf(person)
  const attempt = async (work: Promise<unknown>) => {
    onFailure(null)
    await work.catch((error: unknown) =>
      onFailure(errorMessage(error, t('That did not work. Please try again.'))),
    )
  }
  const { role, system_access: hasAccess, is_active: isEnabled, status } = person
  const isFirstOwner = person.is_first_owner
  return (
    <fieldset disabled={actions.isBusy} className="flex flex-col gap-4 border-t border-line pt-4">
      <legend className="sr-only">{t('Change {name}', { name })}</legend>
      <Field label={t('Role')} hint={isRole(role) ? ROLE_WORDS[role] : undefined}>
        <Select
          value={role}
          disabled={isFirstOwner}
          onChange={(event) => {
            const next = event.target.value
            if (!isRole(next)) return
            void attempt(
              actions.update({
                person,
                change: { role: next },
                done: `${isolateText(name)}: ${t('{before} → {after}', { before: roleLabel(role), after: ROLE_LABELS[next] })}`,
                // Undo also restores the system access, because changing the role changes it.
                undo: { ...(isRole(role) && { role }), system_access: hasAccess },
              }),
            )
          }}
        >
          <Options of={rolesToGive(ownRole).map((each) => ({ value: each, label: ROLE_LABELS[each] }))} />
        </Select>
      </Field>
      <Switch
        label={
          <>
            {rich('System access <span>may own API keys</span>', {
              span: (text) => <span className="text-ink-3">{text}</span>,
            })}
          </>
        }
        checked={hasAccess}
        onChange={() =>
          void attempt(
            actions.update({
              person,
              change: { system_access: !hasAccess },
              done: hasAccess
                ? t('{name}: system access removed', { name })
                : t('{name}: system access granted', { name }),
              undo: { system_access: hasAccess },
            }),
          )
        }
      />
      <div className="flex flex-wrap gap-2 empty:hidden">
        {isToApprove(person) ? (
          <>
            <Button variant="primary" onClick={() => void attempt(actions.update(approval(person)))}>
              {t('Approve')}
            </Button>
            <Button variant="danger" onClick={() => void attempt(actions.update(refusal(person)))}>
              {t('Decline')}
            </Button>
          </>
        ) : null}
        {status === 'invited' ? (
          <Button onClick={() => void attempt(actions.invite(person))}>{t('Send invitation again')}</Button>
        ) : null}
        {person.has_second_factor ? (
          <Button onClick={() => setIsRemoving(true)} disabled={isRemoving}>
            {t('Remove second factor')}
          </Button>
        ) : null}
      </div>
      {isRemoving ? (
        <AlertBox
          tone="warning"
          title={t('Remove the second factor of {name}?', { name })}
          action={
            <span className="flex gap-2">
              <Button size="sm" onClick={() => setIsRemoving(false)}>
                {t('Keep it')}
              </Button>
              <Button
                size="sm"
                variant="danger"
                onClick={() => {
                  setIsRemoving(false)
                  void attempt(actions.resetFactors(person))
                }}
              >
                {t('Remove')}
              </Button>
            </span>
          }
        >
          {t('For somebody who has lost both the phone and the recovery codes. All their sessions end.')}
        </AlertBox>
      ) : null}
      {/* The button is at the opposite end, so that it does not move under the pointer when a control above
          disappears. */}
      <div className="flex justify-end border-t border-line pt-4 empty:hidden">
        {isToApprove(person) || (isFirstOwner && isEnabled) ? null : isEnabled ? (
          <Button
            variant="danger"
            onClick={() =>
              void attempt(
                actions.update({
                  person,
                  change: { is_active: false },
                  done: t('{name} deactivated.', { name }),
                  undo: { is_active: true },
                }),
              )
            }
          >
            {t('Deactivate')}
          </Button>
        ) : (
          <Button
            onClick={() =>
              void attempt(
                actions.update({
                  person,
                  change: { is_active: true },
                  done: t('{name} reactivated.', { name }),
                }),
              )
            }
          >
            {t('Reactivate')}
          </Button>
        )}
      </div>
      <p className="text-caption text-ink-3">
        {isFirstOwner
          ? t('This is the first account of the installation. It always stays an active owner.')
          : consequenceOf(person)}{' '}
        {hasRole(role, 'owner') ? t('There is always at least one active owner.') : ''}
      </p>
    </fieldset>
  )
}

function consequenceOf(person: User): string {
  if (isToApprove(person))
    return t('A declined person cannot sign in and leaves the waiting list. You can undo this later.')
  if (person.is_active)
    return t(
      'Deactivating ends sessions, API keys and invitations at once. The account and its history stay.',
    )
  return person.approved
    ? t('A deactivated person cannot sign in, and their API keys do not work.')
    : t('A declined person cannot sign in. If you reactivate them, they wait for approval again.')
}

const Loading = () => (
  <SkeletonRows label={t('Loading the person')} count={6} rowClass="flex h-7 items-center gap-8">
    <Skeleton className="h-3 w-20" />
    <Skeleton className="h-3 w-44" />
  </SkeletonRows>
)
