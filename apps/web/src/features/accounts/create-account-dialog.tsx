import { PASSWORD_MIN_LENGTH } from '@pegasus/contracts/auth/sign-in'
import { passwordLengthError } from '@pegasus/contracts/auth/password-rules'
import { hasRole, isRole } from '@pegasus/contracts/roles'
import { createUser, createUserBody, FULL_NAME_MAX_LENGTH } from '@pegasus/contracts/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast.tsx'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { useMailDelivery } from '@/lib/http/config.ts'
import { PEOPLE_KEY } from './accounts.queries.ts'
import { ROLE_WORDS, rolesToGive } from './account-labels.ts'

const EMPTY = { email: '', username: '', full_name: '', role: 'staff', password: '' }
type PersonForm = typeof EMPTY
type FieldErrors = Partial<Record<keyof PersonForm, string | undefined>>

/** How the person comes by a password: by a link of their own, or told by whoever makes the account. */
type Way = 'invitation' | 'password'

interface CreatePersonDialogProps {
  isOpen: boolean
  ownRole: string
  onClose: () => void
}

export const CreateAccountDialog = (props: CreatePersonDialogProps) =>
  props.isOpen ? <OpenDialog {...props} /> : null

function readForm(form: PersonForm, way: Way, systemAccess: boolean) {
  const { password, ...rest } = form
  const parsed = createUserBody.safeParse({
    ...rest,
    system_access: systemAccess,
    ...(way === 'password' && { password }),
  })
  const errors: FieldErrors = {}
  for (const { path, message } of parsed.error?.issues ?? []) errors[path[0] as keyof PersonForm] ??= message
  const weakness = way === 'password' ? passwordLengthError(password) : null
  if (weakness) errors.password ??= weakness
  return parsed.success && !weakness ? { body: parsed.data, errors: null } : { body: null, errors }
}

/** The server's refusals that belong to a field. */
const FIELD_OF: Readonly<Record<string, keyof PersonForm>> = {
  email_taken: 'email',
  username_taken: 'username',
  weak_password: 'password',
}

function OpenDialog({ ownRole, onClose }: CreatePersonDialogProps) {
  const client = useQueryClient()
  const reachesPeople = useMailDelivery() === 'smtp'
  const { register, handleSubmit, watch, formState } = useForm({ defaultValues: EMPTY })
  const [way, setWay] = useState<Way>('invitation')
  const [givenAccess, setGivenAccess] = useState<boolean | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const role = watch('role')
  // From staff up, unless it was decided otherwise.
  const systemAccess = givenAccess ?? hasRole(role, 'staff')

  const clears = (field: keyof PersonForm) => ({
    onChange: () => setErrors((current) => ({ ...current, [field]: undefined })),
  })

  const onSubmit = handleSubmit(async (form) => {
    const { body, errors: found } = readForm(form, way, systemAccess)
    setErrors(found ?? {})
    setFailure(null)
    if (!body) return
    try {
      await callApi(createUser, { body, headers: { 'Idempotency-Key': idempotencyKey } })
    } catch (error) {
      const field = error instanceof ApiError && error.code ? FIELD_OF[error.code] : undefined
      const sentence = errorMessage(error, 'The account could not be made. Please try again.')
      if (field) setErrors({ [field]: sentence })
      else setFailure(sentence)
      return
    }
    void client.invalidateQueries({ queryKey: [PEOPLE_KEY] })
    toast({
      title:
        way === 'password'
          ? `${body.username} can sign in now.`
          : reachesPeople
            ? `Invitation sent to ${body.email}.`
            : `Invitation made. Pass its link on from Mails.`,
    })
    onClose()
  })

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add person"
      error={failure}
      hasChanges={formState.isDirty}
      onSubmit={() => void onSubmit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={formState.isSubmitting}>
            {way === 'invitation' ? 'Send invitation' : 'Add person'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Email" isRequired error={errors.email}>
          <Input {...register('email', clears('email'))} type="email" autoComplete="off" autoFocus />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Username" isRequired error={errors.username}>
            <Input {...register('username', clears('username'))} autoComplete="off" autoCapitalize="none" />
          </Field>
          <Field label="Full name" error={errors.full_name}>
            <Input {...register('full_name', clears('full_name'))} maxLength={FULL_NAME_MAX_LENGTH} />
          </Field>
        </div>
        <Field label="Role" hint={isRole(role) ? ROLE_WORDS[role] : undefined} error={errors.role}>
          <Select {...register('role', clears('role'))}>
            {rolesToGive(ownRole).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
        </Field>
        <Checkbox
          checked={systemAccess}
          onChange={(event) => setGivenAccess(event.target.checked)}
          label={
            <>
              System access <span className="text-ink-3">may own API keys</span>
            </>
          }
        />
        <SegmentedControl
          label="How they get a password"
          value={way}
          options={[
            { value: 'invitation', label: 'By invitation' },
            { value: 'password', label: 'With a password' },
          ]}
          onChange={setWay}
          className="w-fit"
        />
        {way === 'invitation' ? (
          <p className="text-label text-ink-2">
            {reachesPeople
              ? 'A mail with a link goes to the address; its reader chooses the password.'
              : 'No mail server is set: the link waits under Mails, for you to pass on. Its reader chooses the password.'}
          </p>
        ) : (
          <Field
            label="Password"
            isRequired
            error={errors.password}
            hint={`At least ${PASSWORD_MIN_LENGTH} characters. Tell it to the person yourself.`}
          >
            <PasswordInput
              {...register('password', clears('password'))}
              toggleName="password"
              autoComplete="new-password"
            />
          </Field>
        )}
      </div>
    </Dialog>
  )
}
