import {
  type SsoProvider,
  createSsoProvider,
  ssoProviderBody,
  updateSsoProvider,
} from '@pegasus/contracts/auth/sso-providers'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import type { ApiError } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

const EMPTY = {
  metadata_url: '',
  metadata_xml: '',
  domains: '',
  email_attribute: '',
  name_attribute: '',
  sign_in: 'on',
}
type SsoField = keyof typeof EMPTY

const formOf = (provider: SsoProvider | null): FormText<SsoField> => ({
  ...EMPTY,
  ...(provider && {
    metadata_url: provider.metadata_url ?? '',
    domains: provider.domains.join(', '),
    email_attribute: provider.email_attribute ?? '',
    name_attribute: provider.name_attribute ?? '',
    sign_in: provider.is_disabled ? 'off' : 'on',
  }),
})

/**
 * Reads the fields. The metadata is sent only if it has changed, because the server parses all metadata that it
 * receives.
 */
function read(form: FormText<SsoField>, provider: SsoProvider | null) {
  const hasNewAddress = form.metadata_url.trim() !== (provider?.metadata_url ?? '')
  const { metadata_url, metadata_xml, email_attribute, name_attribute } = form
  return readResult(
    ssoProviderBody.safeParse({
      ...(metadata_xml !== '' ? { metadata_xml } : hasNewAddress ? { metadata_url } : {}),
      domains: form.domains.split(/[\s,]+/).filter((domain) => domain !== ''),
      email_attribute,
      name_attribute,
      is_disabled: form.sign_in === 'off',
    }),
    EMPTY,
  )
}

/** Returns the field that a server error belongs to: the domains or the metadata. Undefined for other errors. */
function fieldOf({ code }: ApiError): SsoField | undefined {
  if (code?.startsWith('sso_domain')) return 'domains'
  return code?.startsWith('saml_') ? 'metadata_url' : undefined
}

interface SsoProviderDialogProps {
  /** The provider to edit; null to add one. */
  provider: SsoProvider | null
  onClose: () => void
  onSaved: () => void
}

export function SsoProviderDialog({ provider, onClose, onSaved }: SsoProviderDialogProps) {
  const state = useNewForm({
    start: formOf(provider),
    read: (form: FormText<SsoField>) => read(form, provider),
    create: async (body, headers) => {
      if (provider === null) await callApi(createSsoProvider, { body, headers })
      else {
        const { id, revision } = provider
        await callApi(updateSsoProvider, { params: { id }, body, headers: ifMatch(revision) })
      }
      onSaved()
    },
    fieldOf,
  })
  const { bind, errors, change } = state
  const verb = provider === null ? t('Add provider') : t('Save provider')
  return (
    <FormDialog
      state={state}
      submitLabel={state.isPending ? t('Saving...') : verb}
      onClose={onClose}
      title={provider === null ? t('Add SAML provider') : t('Edit SAML provider')}
      description={provider?.entity_id ?? t('The provider of a company, such as Entra ID, Okta or Keycloak.')}
    >
      <div className="flex flex-col gap-4">
        <Field
          label={t('Address of the metadata')}
          error={errors.metadata_url}
          hint={t('The server reads the metadata now, and then every day.')}
        >
          <Input
            {...bind('metadata_url')}
            type="url"
            inputMode="url"
            placeholder="https://id.example.com/metadata"
            autoFocus
          />
        </Field>
        <Field
          label={t('Or the metadata file')}
          error={errors.metadata_xml}
          hint={provider && !provider.metadata_url ? t('Choose a file to replace the metadata.') : undefined}
        >
          <Input
            type="file"
            accept=".xml,application/xml,text/xml"
            className="[&_input]:py-1.5 [&_input]:file:me-3 [&_input]:file:border-0 [&_input]:file:bg-transparent [&_input]:file:font-medium"
            onChange={(event) => {
              const file = event.target.files?.[0]
              if (!file) return change({ metadata_xml: '' })
              void file.text().then((text) => change({ metadata_xml: text }))
            }}
          />
        </Field>
        <Field
          label={t('Domains')}
          error={errors.domains}
          hint={t('The domains of the work email addresses, separated by commas.')}
        >
          <Input {...bind('domains')} placeholder={t('example.com, example.org')} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={t('Attribute of the email')}
            error={errors.email_attribute}
            hint={t('Usually detected automatically.')}
          >
            <Input {...bind('email_attribute')} />
          </Field>
          <Field
            label={t('Attribute of the name')}
            error={errors.name_attribute}
            hint={t('Usually detected automatically.')}
          >
            <Input {...bind('name_attribute')} />
          </Field>
        </div>
        <Field label={t('Sign-in')} error={errors.sign_in}>
          <Select {...bind('sign_in')}>
            <option value="on">{t('allowed')}</option>
            <option value="off">{t('switched off')}</option>
          </Select>
        </Field>
      </div>
    </FormDialog>
  )
}
