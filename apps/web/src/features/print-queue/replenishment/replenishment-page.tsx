import { MAX_JOB_QUANTITY } from '@pegasus/contracts/print-queue/jobs'
import type {
  ReplenishmentProposal,
  ReplenishmentProposals,
} from '@pegasus/contracts/print-queue/replenishment'
import { hasRole, isAdmin } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Check, PackageCheck, PackageSearch } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { AccessDenied } from '@/components/access-denied.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { planText } from '@/components/production/plan-text.ts'
import { BackLink } from '@/components/ui/actions/back-link.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { proposalsQuery, useReplenishment } from './replenishment.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ReplenishmentPageProps {
  queueAddress: string
  itemAddress: (id: string) => string
}

/**
 * Lists the proposals of prints that refill the stock, made each night or on request. A proposal is queued only after a
 * person accepts it.
 */
export function ReplenishmentPage(props: ReplenishmentPageProps) {
  const canDecide = hasRole(useCurrentUser().role, 'staff')
  usePageTitle(t('Replenishment'))
  return canDecide ? <Proposals {...props} /> : <AccessDenied />
}

function Proposals({ queueAddress, itemAddress }: ReplenishmentPageProps) {
  const query = useQuery(proposalsQuery)
  const { accept, propose } = useReplenishment()
  const proposals = query.data?.proposals ?? []
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const textOf = (proposal: ReplenishmentProposal) => typed[proposal.id] ?? String(piecesToQueue(proposal))
  const countOf = (proposal: ReplenishmentProposal) => readCount(textOf(proposal))
  const isReady = proposals.every((proposal) => countOf(proposal) !== null)
  const choice = (proposal: ReplenishmentProposal) => {
    const quantity = countOf(proposal)
    return { id: proposal.id, ...(quantity !== null && typed[proposal.id] !== undefined && { quantity }) }
  }
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-2">
        <BackLink to={queueAddress}>{t('Print Queue')}</BackLink>
        <h1 className="text-page font-[620]">{t('Replenishment')}</h1>
        <div className="ms-auto flex flex-wrap items-center gap-2 phone:w-full">
          <RefreshButton queries={[query]} />
          <Button
            icon={<PackageSearch size={16} strokeWidth={1.75} aria-hidden />}
            isPending={propose.isPending}
            disabled={!query.isSuccess}
            onClick={() => propose.mutate()}
            className="phone:flex-1"
          >
            {t('Propose now')}
          </Button>
          {proposals.length > 1 ? (
            <Button
              variant="primary"
              icon={<Check size={16} strokeWidth={1.75} aria-hidden />}
              isPending={accept.isPending}
              disabled={!isReady}
              onClick={() => accept.mutate(proposals.map(choice))}
              className="phone:flex-1"
            >
              {t('Accept all {proposals}', { proposals: proposals.length })}
            </Button>
          ) : null}
        </div>
      </div>
      {query.isPending ? (
        <Card>
          <SkeletonLines label={t('Loading the proposals')} lineClass="h-14" />
        </Card>
      ) : query.isError ? (
        <ErrorState
          message={t('The proposals could not be loaded.')}
          detail={errorMessage(query.error, t('Please try again.'))}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <>
          <div role="status">
            {propose.data?.added === 0 && !propose.isPending ? (
              <AlertBox tone="note" title={t('There is nothing new to propose')} className="mb-3">
                {t(
                  'No other item is at its reorder point. Dismissed items are proposed again after a week, or when more pieces are missing.',
                )}
              </AlertBox>
            ) : null}
          </div>
          <Card>
            {proposals.length === 0 ? (
              <div className="p-4">
                <EmptyState
                  icon={<PackageCheck size={28} strokeWidth={1.4} aria-hidden />}
                  title={t('Nothing is proposed')}
                  titleLevel={2}
                >
                  {t(
                    'Items at their reorder point are proposed here each night, or at once with “Propose now”, with the plates that would restock them.',
                  )}
                </EmptyState>
              </div>
            ) : (
              <ul className="divide-y divide-line">
                {proposals.map((proposal) => (
                  <ProposalRow
                    key={proposal.id}
                    proposal={proposal}
                    to={itemAddress(proposal.inventory_item_id)}
                    text={textOf(proposal)}
                    count={countOf(proposal)}
                    onType={(text) => setTyped((known) => ({ ...known, [proposal.id]: text }))}
                    onAccept={() => accept.mutate([choice(proposal)])}
                  />
                ))}
              </ul>
            )}
          </Card>
          <NightForm of={query.data} />
        </>
      )}
    </>
  )
}

/** Returns how many missing pieces of a proposal are queued: at most those of one job. */
const piecesToQueue = ({ missing }: ReplenishmentProposal): number => Math.min(missing, MAX_JOB_QUANTITY)

/** Parses a number of pieces; null if it is not a valid whole number. */
function readCount(text: string): number | null {
  const count = typedNumber(text) ?? 0
  return Number.isInteger(count) && count >= 1 && count <= MAX_JOB_QUANTITY ? count : null
}

interface ProposalRowProps {
  proposal: ReplenishmentProposal
  to: string
  text: string
  count: number | null
  onType: (text: string) => void
  onAccept: () => void
}

function ProposalRow({ proposal, to, text, count, onType, onAccept }: ProposalRowProps) {
  const { name, sku, missing } = proposal
  const now = piecesToQueue(proposal)
  const plan = now < missing ? { ...proposal, now } : proposal
  const wanted = t('{wanted} wanted', { wanted: formatCount(proposal.target) })
  const { accept, dismiss } = useReplenishment()
  return (
    <li className="flex items-center gap-3 px-4 py-2.5 phone:flex-wrap">
      <PartPicture src={proposal.stl_thumbnail_path} tint={proposal.color_hex} className="size-14" />
      <div className="min-w-0 flex-1">
        <Link to={to} className="block font-medium wrap-anywhere hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <p className="text-label text-ink-2 wrap-anywhere">{planText(wanted, plan)}</p>
        <p className="text-caption text-ink-3">
          {sku ? <span className="code">{sku} · </span> : null}
          {t('proposed {proposed_at}', { proposed_at: formatDateTime(proposal.proposed_at) })}
        </p>
      </div>
      <form
        className="flex items-center gap-1.5 phone:w-full phone:justify-end"
        onSubmit={(event) => {
          event.preventDefault()
          if (count !== null) onAccept()
        }}
      >
        <Input
          value={text}
          onChange={({ target }) => onType(target.value)}
          inputMode="numeric"
          aria-label={t('Pieces of {name}', { name })}
          aria-invalid={count === null}
          className="w-20 text-end"
        />
        <Button
          type="submit"
          variant="primary"
          disabled={count === null}
          isPending={accept.isPending}
          aria-label={t('Accept {name}', { name })}
        >
          {count === null || count === now ? t('Accept') : t('Print {count}', { count })}
        </Button>
        <Button
          isPending={dismiss.isPending}
          aria-label={t('Dismiss {name}', { name })}
          onClick={() => dismiss.mutate(proposal)}
        >
          {t('Dismiss')}
        </Button>
      </form>
    </li>
  )
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const NEVER = t('never')

/** The settings of the nightly run that makes the proposals. Only admins can change them. */
function NightForm({ of: { schedule, last_night_at: lastAt } }: { of: ReplenishmentProposals }) {
  const canSet = isAdmin(useCurrentUser().role)
  const { setSchedule } = useReplenishment()
  const { hour, time_zone: timeZone } = schedule
  const last =
    lastAt === null
      ? t('No nightly proposals have been made yet.')
      : t('The last one was {lastAt}.', { lastAt: formatDateTime(lastAt) })
  const clock = (each: number) => `${String(each).padStart(2, '0')}:00`
  if (!canSet)
    return (
      <p className="mt-3 text-label text-ink-3">
        {hour === null
          ? t('An administrator has switched off the nightly proposals.')
          : t('Each night after {clock} ({timeZone}), items at their reorder point are proposed.', {
              clock: clock(hour),
              timeZone,
            })}{' '}
        {last}
      </p>
    )
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div className="mt-3 flex flex-wrap items-end gap-x-4 gap-y-2">
      <Field label={t('Propose each night')} className="w-44 phone:w-full">
        <Select
          value={hour === null ? NEVER : String(hour)}
          disabled={setSchedule.isPending}
          onChange={({ target: { value } }) =>
            setSchedule.mutate({ hour: value === NEVER ? null : Number(value), time_zone: here })
          }
        >
          <option value={NEVER}>{t('Never')}</option>
          <Options
            of={HOURS.map((each) => ({
              value: String(each),
              label: t('After {clock}', { clock: clock(each) }),
            }))}
          />
        </Select>
      </Field>
      <p className="pb-2 text-label text-ink-3">{t('Time zone: {timeZone}. {last}', { timeZone, last })}</p>
    </div>
  )
}

/** Shows the number of proposals, above the queue. Renders nothing if there are none. */
export function ProposalsNote({ to }: { to: string }) {
  const { data } = useQuery(proposalsQuery)
  if (!data || data.proposals.length === 0) return null
  return (
    <AlertBox tone="note" className="mb-3">
      <Link to={to} className="link">
        {t('{proposals, plural, one {# item} other {# items}} to replenish', {
          proposals: data.proposals.length,
        })}
      </Link>
      <span className="phone:hidden"> {t('Nothing is printed until somebody accepts a proposal.')}</span>
    </AlertBox>
  )
}
