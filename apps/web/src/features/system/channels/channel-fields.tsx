import { ALERT_KIND_NAMES } from '@pegasus/contracts/alerts/alert-texts'
import { ALERT_KINDS, type AlertKind } from '@pegasus/contracts/alerts/alerts'
import { CHANNEL_KIND_NAMES, CHANNEL_KINDS, type ChannelKind } from '@pegasus/contracts/channels/channels'
import { type FormFieldsProps, formFields } from '@/components/kit/form-fields.ts'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { CHANNEL_LABELS, type ChannelField, eventsOf } from './channel-form.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const KIND_HINTS: Readonly<Record<ChannelKind, string>> = {
  webhook: t('Sends signed JSON (Standard Webhooks) to your own program.'),
  slack: t('An incoming webhook of Slack, or of a chat app that accepts the same format.'),
  discord: t('A webhook for a Discord channel.'),
  ntfy: t('A push message to all phones that subscribe to a topic.'),
}
const ADDRESS_EXAMPLES: Readonly<Record<ChannelKind, string>> = {
  webhook: 'https://example.com/hooks/pegasus',
  slack: 'https://hooks.slack.com/services/…',
  discord: 'https://discord.com/api/webhooks/…',
  ntfy: 'https://ntfy.sh/our-topic',
}

interface ChannelFieldsProps extends FormFieldsProps<ChannelField> {
  /** The stored address, which an empty field keeps; null for a new channel. */
  shownAddress: string | null
}

export function ChannelFields({ form, change, errors, hintOf, shownAddress }: ChannelFieldsProps) {
  const { field, input } = formFields({ form, change, errors, hintOf, labels: CHANNEL_LABELS })
  const kind = form.kind as ChannelKind
  const isNew = shownAddress === null
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      {isNew ? (
        <Field {...field('kind', KIND_HINTS[kind])} className="col-span-full">
          <Select value={form.kind} onChange={({ target }) => change({ kind: target.value })} autoFocus>
            <Options of={CHANNEL_KINDS.map((value) => ({ value, label: CHANNEL_KIND_NAMES[value] }))} />
          </Select>
        </Field>
      ) : null}
      <Field {...field('name')} isRequired className="col-span-full">
        <Input {...input('name')} maxLength={100} dir="auto" placeholder={t('Workshop chat')} />
      </Field>
      <Field
        {...field(
          'address',
          isNew ? undefined : t('Leave it empty to keep {shownAddress}', { shownAddress }),
        )}
        isRequired={isNew}
        className="col-span-full"
      >
        <Input {...input('address')} type="url" maxLength={2000} placeholder={ADDRESS_EXAMPLES[kind]} />
      </Field>
      {kind === 'ntfy' ? (
        <Field
          {...field(
            'access_token',
            isNew
              ? t('Only for a topic that requires a token.')
              : t('Leave it empty to keep the stored token.'),
          )}
          className="col-span-full"
        >
          <Input {...input('access_token')} type="password" maxLength={500} />
        </Field>
      ) : null}
      <Events form={form} change={change} error={errors.events} />
      <Field {...field('quiet_from', t('Messages wait until the quiet hours end.'))}>
        <Input {...input('quiet_from')} type="time" />
      </Field>
      <Field {...field('quiet_until')}>
        <Input {...input('quiet_until')} type="time" />
      </Field>
      {form.quiet_from || form.quiet_until ? (
        <Field {...field('time_zone')} className="col-span-full">
          <Input {...input('time_zone')} maxLength={64} />
        </Field>
      ) : null}
      {isNew ? null : (
        <Checkbox
          checked={form.is_enabled === 'true'}
          onChange={({ target }) => change({ is_enabled: String(target.checked) })}
          label={t('Send events to this channel')}
        />
      )}
    </div>
  )
}

function Events({
  form,
  change,
  error,
}: Pick<ChannelFieldsProps, 'form' | 'change'> & { error: string | undefined }) {
  const chosen = eventsOf(form)
  const choose = (kind: AlertKind, isChosen: boolean) =>
    change({
      events: ALERT_KINDS.filter((each) => (each === kind ? isChosen : chosen.includes(each))).join(','),
    })
  return (
    <fieldset className="col-span-full">
      <legend className="mb-[5px] text-label font-medium">{t('Events')}</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-1 phone:grid-cols-1">
        {ALERT_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            checked={chosen.includes(kind)}
            onChange={({ target }) => choose(kind, target.checked)}
            label={serverText(ALERT_KIND_NAMES[kind])}
          />
        ))}
      </div>
      {error ? (
        <p role="alert" className="mt-1 text-label font-medium text-red-ink">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
