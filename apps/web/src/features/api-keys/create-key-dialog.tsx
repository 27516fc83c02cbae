import {
  createApiKey,
  createApiKeyBody,
  DEFAULT_KEY_LABEL,
  type IssuedApiKey,
  KEY_LABEL_MAX_LENGTH,
  MAX_EXPIRES_DAYS,
  MIN_EXPIRES_DAYS,
} from '@pegasus/contracts/api-keys'
import { API_KEY_SCOPES, type ApiKeyScope } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { keyOwnersQuery } from './api-keys.queries.ts'
import { KEY_TOAST_MS } from './use-key-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

const FAILED = t('Failed to create API key.')

/** Describes each scope to the person who creates a key. */
const SCOPE_HINTS: Readonly<Record<ApiKeyScope, string>> = {
  integration: t('for a shop: sends orders, reads stock and products'),
  'print-jobs': t('for a printer agent: claims, reports and finishes print jobs'),
}

const EMPTY = { user_id: '', label: DEFAULT_KEY_LABEL, expires_days: '', allowed_addresses: '' }
type KeyField = keyof typeof EMPTY

const EXPIRES_ERROR = t(
  'Enter a whole number from {MIN_EXPIRES_DAYS} to {MAX_EXPIRES_DAYS}, or nothing for a key that never expires.',
  { MIN_EXPIRES_DAYS, MAX_EXPIRES_DAYS },
)

/** Returns the request body, or the first error of each field. */
function readForm(form: FormText<KeyField>, scope: readonly ApiKeyScope[]) {
  const addresses = form.allowed_addresses.split(/[\s,]+/).filter(Boolean)
  const parsed = createApiKeyBody.safeParse({
    ...form,
    scope,
    expires_days: typedNumber(form.expires_days),
    allowed_addresses: addresses.length > 0 ? addresses : null,
  })
  const read = readResult(parsed, { ...EMPTY, scope: '' })
  if (read.errors?.expires_days === undefined) return read
  // The API's message explains how a program requests a key without an end. This form needs its own message.
  return { body: null, errors: { ...read.errors, expires_days: EXPIRES_ERROR } }
}

interface CreateKeyDialogProps {
  isOpen: boolean
  onClose: () => void
  onIssued: (issued: IssuedApiKey) => void
}

export const CreateKeyDialog = (props: CreateKeyDialogProps) =>
  props.isOpen ? <OpenDialog {...props} /> : null

function OpenDialog({ onClose, onIssued }: CreateKeyDialogProps) {
  const owners = useQuery(keyOwnersQuery)
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(API_KEY_SCOPES)
  const state = useNewForm({
    start: EMPTY,
    read: (form: FormText<KeyField>) => readForm(form, scopes),
    create: async (body, headers) => {
      try {
        onIssued(await callApi(createApiKey, { body, headers }))
      } catch (error) {
        toast({ title: errorDetail(error, FAILED) })
        throw error
      }
      toast({ title: t('API key created successfully!'), durationMs: KEY_TOAST_MS })
    },
    describeError: (error) => errorDetail(error, FAILED),
  })
  const { bind, errors } = state
  const setScope = (scope: ApiKeyScope, isOpen: boolean) => {
    setScopes(API_KEY_SCOPES.filter((each) => (each === scope ? isOpen : scopes.includes(each))))
    state.clearError('scope')
  }
  return (
    <FormDialog
      state={{ ...state, hasChanges: state.hasChanges || scopes.length !== API_KEY_SCOPES.length }}
      submitLabel={state.isPending ? t('Creating...') : t('Create API Key')}
      onClose={onClose}
      title={t('Create New API Key')}
      description={t('The full key is shown once, when it is created.')}
    >
      <div className="flex flex-col gap-4">
        <QueryError query={owners} message={t('Failed to load users')} />
        <Field
          label={t('User')}
          isRequired
          error={errors.user_id}
          hint={t('The key can do what its scopes allow, and never more than this person can.')}
        >
          <Select {...bind('user_id')} autoFocus>
            <option value="">{owners.isPending ? t('Loading users…') : t('Select a user')}</option>
            <Options
              of={(owners.data ?? []).map(({ id, username, full_name: name, role }) => ({
                value: id,
                label: name ? `${username}, ${name} (${role})` : `${username} (${role})`,
              }))}
            />
          </Select>
        </Field>
        <Field
          label={t('Label')}
          error={errors.label}
          hint={t('For example, the shop, printer or script that uses the key.')}
        >
          <Input {...bind('label')} maxLength={KEY_LABEL_MAX_LENGTH} />
        </Field>
        <fieldset>
          <legend className="mb-[5px] text-label font-medium">{t('Scope')}</legend>
          <div className="flex flex-col gap-1">
            {API_KEY_SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                checked={scopes.includes(scope)}
                onChange={(event) => setScope(scope, event.target.checked)}
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
          label={t('Expires in')}
          error={errors.expires_days}
          hint={t('{MIN_EXPIRES_DAYS} to {MAX_EXPIRES_DAYS} days. Empty means never.', {
            MIN_EXPIRES_DAYS,
            MAX_EXPIRES_DAYS,
          })}
        >
          <Input
            {...bind('expires_days')}
            inputMode="numeric"
            autoComplete="off"
            unit={t('days')}
            className="w-40"
          />
        </Field>
        <Field
          label={t('Allowed addresses')}
          error={errors.allowed_addresses}
          hint={t(
            'IP addresses or ranges from which the key works, one per line, such as 10.0.0.0/8. Empty means anywhere.',
          )}
        >
          <Textarea {...bind('allowed_addresses')} rows={2} />
        </Field>
      </div>
    </FormDialog>
  )
}
