import { type Channel, createChannel, getChannel, updateChannel } from '@pegasus/contracts/channels/channels'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi, editCalls } from '@/lib/http/api.ts'
import { ChannelFields } from './channel-fields.tsx'
import { CHANNEL_EDIT, newChannelForm, readNewChannel } from './channel-form.ts'
import { useChannelRefresh } from './channels.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

export function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const refresh = useChannelRefresh()
  const state = useNewForm({
    start: newChannelForm,
    read: readNewChannel,
    create: async (body, headers) => {
      const { name } = await callApi(createChannel, { body, headers })
      toast({ title: t('{name} added', { name }) })
      refresh()
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={t('Add channel')}
      onClose={onClose}
      title={t('Add channel')}
      description={t('The channel gets the same events as people.')}
      size="lg"
    >
      <ChannelFields form={state.form} change={state.change} errors={state.errors} shownAddress={null} />
    </FormDialog>
  )
}

export function EditChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  return (
    <EditDialog
      title={t('Edit {name}', { name: channel.name })}
      size="lg"
      thing={channel}
      {...CHANNEL_EDIT}
      {...editCalls(getChannel, updateChannel, { id: channel.id })}
      savedText={({ name }) => t('{name} saved', { name })}
      onSaved={useChannelRefresh()}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf }) => (
        <ChannelFields
          form={form}
          change={change}
          errors={errors}
          hintOf={hintOf}
          shownAddress={channel.shown_address}
        />
      )}
    </EditDialog>
  )
}
