import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { FoundCard } from './found-card.tsx'
import type { Scan } from './use-scan.ts'

const ID = '01890000-0000-7000-8000-000000000000'
const printer: ScannedOf<'printer'> = {
  kind: 'printer',
  id: ID,
  code: 'P-001',
  title: 'Mini',
  thumbnail_path: null,
  color_hex: null,
  actions: ['open', 'clear', 'load', 'maintenance'],
  facts: {
    model: null,
    printer_kind: 'manual',
    state: 'needs_clearing',
    state_reason: null,
    location: null,
    job_code: 'J-00001',
    plate: { id: ID, number: 1, pieces: 4 },
    slots: 0,
    loaded: null,
    next_slot: null,
  },
}

const browserFetch = window.fetch
const sent: unknown[] = []
beforeEach(() => {
  sent.length = 0
  window.fetch = async (_, init) => {
    sent.push(await new Response(init?.body ?? null).json())
    return Response.json({})
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

/** Shows a scanned printer or print job. */
const show = (found: ScannedOf<'printer' | 'print_job'>) => {
  const idle: Partial<Scan> = {
    isBusy: false,
    loading: null,
    setLoading: () => undefined,
    act: (work) => work().then(() => true),
  }
  return render(
    <Providers>
      <FoundCard
        found={found}
        scan={idle as Scan}
        address="/"
        printAddress={() => '/'}
        orderStepAddress={() => '/'}
        onLeave={() => undefined}
      />
    </Providers>,
  )
}

it('the card of a scanned printer asks for the good and rejected pieces of its plate before the plate is cleared', async () => {
  await show(printer)
  const [good, rejected] = [page.getByLabelText('Good'), page.getByLabelText('Rejected')]
  await expect.element(good).toHaveValue('4')
  await expect.element(rejected).toHaveValue('0')
  await rejected.fill('1')
  await expect.element(good).toHaveValue('3')
  await page.getByRole('button', { name: 'Clear the plate' }).click()
  await expect.poll(() => sent).toEqual([{ plate_id: ID, good_quantity: 3, rejected_quantity: 1 }])
})

it('the card of a scanned printer without a plate asks for no pieces', async () => {
  await show({ ...printer, facts: { ...printer.facts, plate: null } })
  await expect.element(page.getByRole('button', { name: 'Clear the plate' })).toBeEnabled()
  await expect.element(page.getByLabelText('Good')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Clear the plate' }).click()
  await expect.poll(() => sent).toEqual([{ plate_id: null }])
})

const aPlate = (isByHand: boolean) => ({
  id: ID,
  number: 1,
  pieces: 4,
  printer: 'Mini',
  can_complete: true,
  is_by_hand: isByHand,
})
const aJob = (isByHand: boolean): ScannedOf<'print_job'> => ({
  kind: 'print_job',
  id: ID,
  code: 'J-00001',
  title: 'Hook',
  thumbnail_path: null,
  color_hex: null,
  actions: ['open', 'complete', 'fail', 'hold', 'requeue', 'cancel'],
  facts: {
    status: 'in_progress',
    quantity: 4,
    good_quantity: 0,
    rejected_quantity: 0,
    priority: 3,
    order_number: null,
    due_at: null,
    plates: [aPlate(isByHand)],
  },
})

it.each([
  ['Requeue', { used_grams: 12.5, print_minutes: 9 }],
  ['Hold', { used_grams: 12.5, print_minutes: 9 }],
  ['Cancel job', { used_grams: 12.5, print_minutes: 9 }],
  ['Failed', { reason: 'Did not stick to the bed', used_grams: 12.5, print_minutes: 9, plate_id: ID }],
  ['Complete', { good_quantity: 4, rejected_quantity: 0, used_grams: 12.5, print_minutes: 9, plate_id: ID }],
])('on the card of a scanned job, %s sends the entered filament and time', async (name, body) => {
  await show(aJob(true))
  const button = page.getByRole('button', { name, exact: true })
  await page.getByLabelText('Filament used').fill('many')
  await expect.element(button).toBeDisabled()
  await page.getByLabelText('Filament used').fill('12,5')
  await page.getByLabelText('Print time').fill('9')
  await button.click()
  await expect.poll(() => sent).toEqual([body])
})

it('the card of a scanned job asks for no filament if a network printer prints its plate', async () => {
  await show(aJob(false))
  await expect.element(page.getByRole('button', { name: 'Requeue' })).toBeEnabled()
  await expect.element(page.getByLabelText('Filament used')).not.toBeInTheDocument()
})

it('the card of a scanned job asks whether the plate of a network printer is off the bed', async () => {
  await show(aJob(false))
  const counted = { good_quantity: 4, rejected_quantity: 0, plate_id: ID }
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect.poll(() => sent).toEqual([{ ...counted, cleared: false }])
  await page.getByLabelText('The plate is off the bed').click()
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect.poll(() => sent).toHaveLength(2)
  expect(sent[1]).toEqual({ ...counted, cleared: true })
})
