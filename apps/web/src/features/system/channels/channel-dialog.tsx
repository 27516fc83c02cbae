import {
  type Channel,
  CHANNEL_KIND_NAMES,
  deleteChannel,
  getChannelKey,
  replayDelivery,
  replayFailedDeliveries,
  rotateChannelKey,
  testChannel,
} from '@pegasus/contracts/channels/channels'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { DeliveryLog } from '@/components/delivery-log.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { copyText } from '@/lib/browser/clipboard.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { deliveriesQuery, useChannelRefresh } from './channels.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const FAILED = t('That did not work. Please try again.')

interface ChannelDialogProps {
  channel: Channel
  onEdit: () => void
  onClose: () => void
}

/** Shows the deliveries to a channel, and the actions on the channel. */
export function ChannelDialog({ channel, onEdit, onClose }: ChannelDialogProps) {
  const { id, name, kind, shown_address: address, failed } = channel
  const [isDeleting, setIsDeleting] = useState(false)
  const refresh = useChannelRefresh()
  const test = useMutation({
    mutationFn: () => callApi(testChannel, { params: { id } }),
    onSuccess: ({ state, attempts }) =>
      toast({
        title:
          state === 'delivered'
            ? t('The test arrived.')
            : t('The test failed. {note}', { note: serverText(attempts[0]?.note ?? '') }),
      }),
    onSettled: refresh,
  })
  const replayFailed = useMutation({
    mutationFn: () => callApi(replayFailedDeliveries, { params: { id } }),
    onSuccess: ({ replayed }) =>
      toast({
        title: t('{replayed, plural, one {# delivery} other {# deliveries}} will be sent again.', {
          replayed,
        }),
      }),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: () => callApi(deleteChannel, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('{name} deleted', { name }) })
      refresh()
      onClose()
    },
  })
  const failure = [test, replayFailed, remove].find(({ isError }) => isError)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={name}
      description={`${CHANNEL_KIND_NAMES[kind]} · ${address}`}
      size="lg"
      error={failure ? errorMessage(failure.error, FAILED) : null}
      footer={
        isDeleting ? (
          <>
            <p className="me-auto">{t('The delivery log is also deleted.')}</p>
            <Button onClick={() => setIsDeleting(false)}>{t('Keep it')}</Button>
            <Button variant="danger" isPending={remove.isPending} onClick={() => remove.mutate()}>
              {t('Delete channel')}
            </Button>
          </>
        ) : (
          <>
            <Button variant="ghost" className="me-auto" onClick={() => setIsDeleting(true)}>
              {t('Delete')}
            </Button>
            <Button onClick={onEdit}>{t('Edit')}</Button>
            <Button variant="primary" isPending={test.isPending} onClick={() => test.mutate()}>
              {t('Send test')}
            </Button>
          </>
        )
      }
    >
      {kind === 'webhook' ? <SigningKey id={id} /> : null}
      <div className="flex items-center gap-3">
        <h3 className="flex-1 font-semibold">{t('Deliveries')}</h3>
        {failed > 0 ? (
          <Button size="sm" isPending={replayFailed.isPending} onClick={() => replayFailed.mutate()}>
            {t('Send {failed, plural, one {# failed one} other {# failed ones}} again', { failed })}
          </Button>
        ) : null}
      </div>
      <DeliveryLog
        query={deliveriesQuery(id)}
        onReplay={(deliveryId) => callApi(replayDelivery, { params: { id, delivery_id: deliveryId } })}
        onReplayed={refresh}
      />
    </Dialog>
  )
}

/** The key is loaded only on request, because that needs a recent sign-in. */
function SigningKey({ id }: { id: string }) {
  const params = { id }
  const show = useMutation({ mutationFn: () => callApi(getChannelKey, { params }) })
  const rotate = useMutation({ mutationFn: () => callApi(rotateChannelKey, { params }) })
  const key = rotate.data?.signing_key ?? show.data?.signing_key
  const failed = [show, rotate].find(({ isError }) => isError)
  return (
    <section aria-label={t('Signing key')} className="mb-4 flex flex-wrap items-center gap-2">
      <span className="text-label font-medium">{t('Signing key')}</span>
      {key === undefined ? null : <code className="min-w-0 wrap-anywhere">{key}</code>}
      {key === undefined ? (
        <Button size="sm" isPending={show.isPending} onClick={() => show.mutate()}>
          {t('Show key')}
        </Button>
      ) : (
        <Button size="sm" onClick={() => void copyText(key)}>
          {t('Copy key')}
        </Button>
      )}
      <Button size="sm" isPending={rotate.isPending} onClick={() => rotate.mutate()}>
        {t('Replace key')}
      </Button>
      {rotate.isSuccess ? (
        <p className="w-full text-label text-ink-2">{t('The old key also signs for one more day.')}</p>
      ) : null}
      {failed ? (
        <p role="alert" className="w-full text-label font-medium text-red-ink">
          {errorMessage(failed.error, FAILED)}
        </p>
      ) : null}
    </section>
  )
}
