import { PASSWORD_MIN_LENGTH, passwordLengthError } from '@pegasus/contracts/auth/password-rules'
import { hasRole, isRole } from '@pegasus/contracts/roles'
import {
  type CreateUserBody,
  createUser,
  createUserBody,
  FULL_NAME_MAX_LENGTH,
} from '@pegasus/contracts/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useMailDelivery } from '@/lib/http/config.ts'
import { PEOPLE_KEY } from './accounts.queries.ts'
import { ROLE_WORDS, rolesToGive } from './account-labels.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const EMPTY = { email: '', username: '', full_name: '', role: 'staff', password: '' }
type PersonField = keyof typeof EMPTY
type PersonForm = FormText<PersonField>

/** How the person gets a password: through an invitation link, or from the person who creates the account. */
type Way = 'invitation' | 'password'

interface CreatePersonDialogProps {
  isOpen: boolean
  ownRole: string
  onClose: () => void
}

export const CreateAccountDialog = (props: CreatePersonDialogProps) =>
  props.isOpen ? <OpenDialog {...props} /> : null

function readForm(
  form: PersonForm,
  way: Way,
  systemAccess: boolean,
): ReadResult<CreateUserBody, PersonField> {
  const { password, ...rest } = form
  const parsed = createUserBody.safeParse({
    ...rest,
    system_access: systemAccess,
    ...(way === 'password' && { password }),
  })
  const read = readResult(parsed, EMPTY)
  const weakness = way === 'password' ? passwordLengthError(password) : null
  return weakness ? { body: null, errors: { password: serverText(weakness), ...read.errors } } : read
}

/** Maps the server's error codes to the fields that they refer to. */
const FIELD_OF: Readonly<Record<string, PersonField>> = {
  email_taken: 'email',
  username_taken: 'username',
  weak_password: 'password',
}

function OpenDialog({ ownRole, onClose }: CreatePersonDialogProps) {
  const client = useQueryClient()
  const reachesPeople = useMailDelivery() === 'smtp'
  const [way, setWay] = useState<Way>('invitation')
  const [givenAccess, setGivenAccess] = useState<boolean | null>(null)
  // System access is on by default for staff and higher roles, until somebody changes it.
  const accessOf = (role: string) => givenAccess ?? hasRole(role, 'staff')
  const state = useNewForm({
    start: EMPTY,
    read: (form: PersonForm) => readForm(form, way, accessOf(form.role)),
    create: async (body, headers) => {
      await callApi(createUser, { body, headers })
      void client.invalidateQueries({ queryKey: [PEOPLE_KEY] })
      toast({
        title:
          way === 'password'
            ? t('{username} can sign in now.', { username: body.username })
            : reachesPeople
              ? t('Invitation sent to {email}.', { email: body.email })
              : t('Invitation created. Copy its link under Emails, and send it to the person.'),
      })
      onClose()
    },
    describeError: (error) => errorMessage(error, t('The account could not be created. Please try again.')),
    fieldOf: ({ code }) => FIELD_OF[code ?? ''],
  })
  const { form, bind, errors } = state
  const { role } = form
  return (
    <FormDialog
      state={state}
      submitLabel={way === 'invitation' ? t('Send invitation') : t('Add person')}
      onClose={onClose}
      title={t('Add person')}
    >
      <div className="flex flex-col gap-4">
        <Field label={t('Email')} isRequired error={errors.email}>
          <Input {...bind('email')} type="email" autoComplete="off" autoFocus />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('Username')} isRequired error={errors.username}>
            <Input {...bind('username')} autoComplete="off" autoCapitalize="none" />
          </Field>
          <Field label={t('Full name')} error={errors.full_name}>
            <Input {...bind('full_name')} maxLength={FULL_NAME_MAX_LENGTH} />
          </Field>
        </div>
        <Field label={t('Role')} hint={isRole(role) ? ROLE_WORDS[role] : undefined} error={errors.role}>
          <Select {...bind('role')}>
            <Options of={rolesToGive(ownRole)} />
          </Select>
        </Field>
        <Checkbox
          checked={accessOf(role)}
          onChange={(event) => setGivenAccess(event.target.checked)}
          label={
            <>
              {rich('System access <span>may own API keys</span>', {
                span: (text) => <span className="text-ink-3">{text}</span>,
              })}
            </>
          }
        />
        <SegmentedControl
          label={t('How the person gets a password')}
          value={way}
          options={{ invitation: t('By invitation'), password: t('With a password') }}
          onChange={setWay}
          className="w-fit"
        />
        {way === 'invitation' ? (
          <p className="text-label text-ink-2">
            {reachesPeople
              ? t(
                  'The server sends an email with a link to this address. The person who opens the link chooses the password.',
                )
              : t(
                  'No mail server is configured. Copy the link under Emails, and send it to the person, who then chooses the password.',
                )}
          </p>
        ) : (
          <Field
            label={t('Password')}
            isRequired
            error={errors.password}
            hint={t('At least {PASSWORD_MIN_LENGTH} characters. You have to tell the person the password.', {
              PASSWORD_MIN_LENGTH,
            })}
          >
            <PasswordInput {...bind('password')} autoComplete="new-password" />
          </Field>
        )}
      </div>
    </FormDialog>
  )
}
