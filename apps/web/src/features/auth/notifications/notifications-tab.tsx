import { type PushDevice, removePushDevice, testPushDevice } from '@pegasus/contracts/channels/push-devices'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Tag } from '@/components/ui/display/badge.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { formatAgo } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { PushRefusedError, pushObstacle, turnOnPush } from '@/lib/push/push-device.ts'
import { turnOffPush } from '@/lib/push/push-owner.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { Section, SectionList, SectionListSkeleton } from '../profile/section.tsx'
import { DeviceLogDialog, QuietHoursDialog } from './device-dialogs.tsx'
import { devicesQuery, useDeviceRefresh } from './devices.queries.ts'
import { OBSTACLES, REFUSALS } from './push-messages.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** Turns on notifications in this browser, and lists the devices of the account that get them. */
export function NotificationsTab() {
  const devices = useQuery(devicesQuery)
  const items = devices.data?.items ?? []
  const isOn = items.some(({ is_current: isCurrent }) => isCurrent)
  return (
    <div className="flex flex-col gap-6">
      <Section
        title={t('Notifications on this device')}
        intro={t(
          'You see alerts even when Pegasus Ops is closed. Choose which ones under Alerts, Alert settings.',
        )}
      >
        {devices.data ? <ThisDevice isOn={isOn} /> : null}
      </Section>
      <Section
        title={t('Your devices')}
        intro={t('A device gets no more notifications once you sign out on it.')}
      >
        {devices.isPending ? (
          <SectionListSkeleton
            label={t('Loading your devices')}
            count={1}
            bars={['h-3.5 w-44', 'h-3 w-56', 'h-7 w-full']}
          />
        ) : null}
        <QueryError query={devices} message={t('Your devices could not be loaded.')} />
        {devices.data && items.length === 0 ? (
          <p className="text-ink-2">{t('None of your devices gets notifications.')}</p>
        ) : null}
        {items.length > 0 ? (
          <SectionList label={t('Devices')}>
            {items.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </SectionList>
        ) : null}
      </Section>
    </div>
  )
}

function ThisDevice({ isOn }: { isOn: boolean }) {
  const { id } = useCurrentUser()
  const refresh = useDeviceRefresh()
  const turnOn = useMutation({
    mutationFn: () => turnOnPush(id),
    onSuccess: () => toast({ title: t('Notifications are on') }),
    onSettled: refresh,
  })
  const obstacle = pushObstacle()
  if (obstacle) return <AlertBox tone="note" title={OBSTACLES[obstacle]} />
  if (isOn) return <p className="text-ink-2">{t('Notifications are on.')}</p>
  return (
    <>
      {turnOn.isError ? <AlertBox title={describeRefusal(turnOn.error)} /> : null}
      <Button
        icon={<BellRing {...ICON} />}
        isPending={turnOn.isPending}
        onClick={() => turnOn.mutate()}
        className="self-start phone:self-stretch"
      >
        {t('Notify me on this device')}
      </Button>
    </>
  )
}

const describeRefusal = (error: Error): string =>
  error instanceof PushRefusedError
    ? REFUSALS[error.reason]
    : errorMessage(error, t('Notifications could not be turned on. Please try again.'))

const FAILED = t('That did not work. Please try again.')

function DeviceRow({ device }: { device: PushDevice }) {
  const { id, device: name, is_current: isCurrent, failed, quiet_hours: quiet } = device
  const [open, setOpen] = useState<'log' | 'quiet' | null>(null)
  const refresh = useDeviceRefresh()
  const nowMs = useNow()
  const test = useMutation({
    mutationFn: () => callApi(testPushDevice, { params: { id } }),
    onSuccess: ({ state, attempts }) =>
      toast({
        title:
          state === 'delivered'
            ? t('The test was sent.')
            : t('The test failed. {note}', { note: serverText(attempts[0]?.note ?? '') }),
      }),
    onSettled: refresh,
  })
  const remove = useMutation({
    async mutationFn() {
      await callApi(removePushDevice, { params: { id } })
      if (isCurrent) await turnOffPush()
    },
    onSuccess: () => toast({ title: t('{name} gets no more notifications', { name }) }),
    onSettled: refresh,
  })
  const failure = [test, remove].find(({ isError }) => isError)
  const close = () => setOpen(null)
  return (
    <li className="flex flex-col gap-2 px-3 py-2.5">
      <div>
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium wrap-anywhere">{name}</span>
          {isCurrent ? <Tag>{t('This device')}</Tag> : null}
        </p>
        <p className="text-label text-ink-2">
          {joinFacts([
            isCurrent
              ? t('in use now')
              : t('last used {last_used_at}', { last_used_at: formatAgo(device.last_used_at, nowMs) }),
            ...(quiet ? [t('quiet from {from} to {until}', { from: quiet.from, until: quiet.until })] : []),
            ...(failed > 0 ? [t('{failed} failed', { failed })] : []),
          ])}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-label={t('Send a test to {name}', { name })}
          isPending={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('Send a test')}
        </Button>
        <Button size="sm" aria-label={t('Quiet hours of {name}', { name })} onClick={() => setOpen('quiet')}>
          {t('Quiet hours')}
        </Button>
        <Button size="sm" aria-label={t('Deliveries to {name}', { name })} onClick={() => setOpen('log')}>
          {t('Deliveries')}
        </Button>
        <Button
          size="sm"
          aria-label={t('Remove {name}', { name })}
          isPending={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {t('Remove')}
        </Button>
      </div>
      {failure ? <AlertBox title={errorMessage(failure.error, FAILED)} /> : null}
      {open === 'log' ? <DeviceLogDialog device={device} onClose={close} /> : null}
      {open === 'quiet' ? <QuietHoursDialog device={device} onClose={close} /> : null}
    </li>
  )
}
