import {
  createApiKey,
  createApiKeyBody,
  DEFAULT_KEY_LABEL,
  type IssuedApiKey,
  KEY_LABEL_MAX_LENGTH,
  MAX_EXPIRES_DAYS,
  MIN_EXPIRES_DAYS,
} from '@pegasus/contracts/api-keys/api-keys'
import { API_KEY_SCOPES, type ApiKeyScope } from '@pegasus/contracts/api-keys/scopes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { toast } from '@/components/ui/overlays/toast.tsx'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail, errorMessage } from '@/lib/http/api-error.ts'
import { keyOwnersQuery } from './api-keys.queries.ts'
import { KEY_TOAST_MS } from './use-key-actions.ts'

const FAILED = 'Failed to create API key.'

/** Description of each scope for the person who creates a key. */
const SCOPE_HINTS: Readonly<Record<ApiKeyScope, string>> = {
  integration: 'for a shop: orders in, stock and products out',
  'print-jobs': 'for a printer agent: claim, report and finish print jobs',
}

/** Values of the fields as text, before parsing. */
interface KeyForm {
  user_id: string
  label: string
  scope: ApiKeyScope[]
  expires_days: string
  allowed_addresses: string
}

const EMPTY: KeyForm = {
  user_id: '',
  label: DEFAULT_KEY_LABEL,
  scope: [...API_KEY_SCOPES],
  expires_days: '',
  allowed_addresses: '',
}

type FieldErrors = Partial<Record<keyof KeyForm, string | undefined>>

/** The request body, or the first error of each field. */
function readForm(form: KeyForm) {
  const addresses = form.allowed_addresses.split(/[\s,]+/).filter(Boolean)
  const days = form.expires_days.trim()
  const parsed = createApiKeyBody.safeParse({
    ...form,
    expires_days: days === '' ? null : Number(days),
    allowed_addresses: addresses.length > 0 ? addresses : null,
  })
  if (parsed.success) return { body: parsed.data, errors: null }
  const errors: FieldErrors = {}
  for (const { path, message } of parsed.error.issues) errors[path[0] as keyof KeyForm] ??= message
  return { body: null, errors }
}

interface CreateKeyDialogProps {
  isOpen: boolean
  onClose: () => void
  onIssued: (issued: IssuedApiKey) => void
}

export const CreateKeyDialog = (props: CreateKeyDialogProps) =>
  props.isOpen ? <OpenDialog {...props} /> : null

function OpenDialog({ isOpen, onClose, onIssued }: CreateKeyDialogProps) {
  const owners = useQuery(keyOwnersQuery)
  const { register, handleSubmit, formState } = useForm({ defaultValues: EMPTY })
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string | null>(null)
  // One key for the dialog: a second press, or a retry after a lost response, creates one API key.
  const [idempotencyKey] = useState(() => crypto.randomUUID())

  const onSubmit = handleSubmit(async (form) => {
    const { body, errors: found } = readForm(form)
    setErrors(found ?? {})
    setFailure(null)
    if (!body) return
    try {
      const issued = await callApi(createApiKey, { body, headers: { 'Idempotency-Key': idempotencyKey } })
      onIssued(issued)
      toast({ title: 'API key created successfully!', durationMs: KEY_TOAST_MS })
    } catch (error) {
      setFailure(errorDetail(error, FAILED))
      toast({ title: FAILED })
    }
  })

  /** Editing a field clears its error. */
  const clears = (field: keyof KeyForm) => ({
    onChange: () => setErrors((current) => ({ ...current, [field]: undefined })),
  })

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create New API Key"
      description="The full key is shown once, when it is made."
      error={failure}
      hasChanges={formState.isDirty}
      onSubmit={() => void onSubmit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={formState.isSubmitting}>
            {formState.isSubmitting ? 'Creating...' : 'Create API Key'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {owners.isError ? (
          <ErrorState
            message="The users could not be loaded."
            detail={errorMessage(owners.error, 'Please try again.')}
            onRetry={() => void owners.refetch()}
            isRetrying={owners.isFetching}
          />
        ) : null}
        <Field
          label="User"
          isRequired
          error={errors.user_id}
          hint="The key may do what its scopes name, and never more than this person may."
        >
          <Select {...register('user_id', clears('user_id'))} autoFocus>
            <option value="">{owners.isPending ? 'Loading users…' : 'Select a user'}</option>
            {owners.data?.map(({ id, username, full_name: name, role }) => (
              <option key={id} value={id}>
                {name ? `${username}, ${name} (${role})` : `${username} (${role})`}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Label" error={errors.label} hint="What uses the key: a shop, a printer, a script.">
          <Input {...register('label', clears('label'))} maxLength={KEY_LABEL_MAX_LENGTH} />
        </Field>
        <fieldset>
          <legend className="mb-[5px] text-label font-medium">Scope</legend>
          <div className="flex flex-col gap-1">
            {API_KEY_SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                {...register('scope', clears('scope'))}
                value={scope}
                label={scope}
                hint={SCOPE_HINTS[scope]}
              />
            ))}
          </div>
          {errors.scope ? (
            <p role="alert" className="mt-1 text-label font-medium text-red-ink">
              {errors.scope}
            </p>
          ) : null}
        </fieldset>
        <Field
          label="Expires in"
          error={errors.expires_days}
          hint={`${MIN_EXPIRES_DAYS} to ${MAX_EXPIRES_DAYS} days. Empty means never.`}
        >
          <Input
            {...register('expires_days', clears('expires_days'))}
            type="number"
            inputMode="numeric"
            min={MIN_EXPIRES_DAYS}
            max={MAX_EXPIRES_DAYS}
            step={1}
            unit="days"
            className="w-40"
          />
        </Field>
        <Field
          label="Allowed addresses"
          error={errors.allowed_addresses}
          hint="IP addresses or ranges that it works from, such as 10.0.0.0/8, one a line. Empty means everywhere."
        >
          <Textarea {...register('allowed_addresses', clears('allowed_addresses'))} rows={2} />
        </Field>
      </div>
    </Dialog>
  )
}
