import { KEY_LABEL_MAX_LENGTH } from '@pegasus/contracts/api-keys'
import {
  type IssuedServiceKey,
  SERVICE_KEY_KINDS,
  createServiceKey,
  createServiceKeyBody,
} from '@pegasus/contracts/service-keys'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { SERVICE_KEY_HINTS } from './service-key-labels.ts'
import { t } from '@/lib/i18n/messages.ts'

const EMPTY = { kind: 'secret', label: '' }
type KeyField = keyof typeof EMPTY

const isKeyField = (name: string): name is KeyField => name in EMPTY

interface CreateServiceKeyDialogProps {
  onClose: () => void
  onIssued: (issued: IssuedServiceKey) => void
}

export function CreateServiceKeyDialog({ onClose, onIssued }: CreateServiceKeyDialogProps) {
  const state = useNewForm({
    start: EMPTY,
    read: (form: FormText<KeyField>) => readResult(createServiceKeyBody.safeParse(form), isKeyField),
    create: async (body, headers) => onIssued(await callApi(createServiceKey, { body, headers })),
    describeError: (error) => errorDetail(error, t('The service key could not be created.')),
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={state.isPending ? t('Creating...') : t('Create service key')}
      onClose={onClose}
      size="sm"
      title={t('Create service key')}
      description={t('The full key is shown once, when it is created.')}
    >
      <div className="flex flex-col gap-4">
        <Field label={t('Kind')} error={errors.kind} hint={<KindHints />}>
          <Select {...bind('kind')}>
            <Options of={SERVICE_KEY_KINDS} />
          </Select>
        </Field>
        <Field
          label={t('Label')}
          isRequired
          error={errors.label}
          hint={t('For example, the site, script or app that uses the key.')}
        >
          <Input {...bind('label')} maxLength={KEY_LABEL_MAX_LENGTH} autoFocus />
        </Field>
      </div>
    </FormDialog>
  )
}

const KindHints = () => (
  <>
    {SERVICE_KEY_KINDS.map((kind) => (
      <span key={kind} className="block">
        <strong className="font-medium text-ink-2">{kind}</strong> {SERVICE_KEY_HINTS[kind]}
      </span>
    ))}
  </>
)
