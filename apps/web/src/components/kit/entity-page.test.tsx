import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApiError } from '@/lib/http/api-error.ts'
import '@/styles/index.css'
import { Providers } from '../../../gallery/providers.tsx'
import { Button } from '../ui/actions/button.tsx'
import { EntityPage } from './entity-page.tsx'

interface Part {
  name: string
}

function Counter() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      Counted {count}
    </button>
  )
}

interface PartPageProps {
  load: () => Promise<Part>
  actions?: ReactNode
  hasButtons?: (part: Part) => boolean
}

function PartPage({ load, actions = <Counter />, hasButtons = () => true }: PartPageProps) {
  return (
    <EntityPage<Part>
      query={useQuery<Part>({ queryKey: ['part'], queryFn: load })}
      list={{ to: '/parts', name: 'Parts', one: 'part' }}
      name={({ name }) => `${name} · Test`}
      title={({ name }) => name}
      notFound={{ title: 'There is no such part', text: 'It may have been deleted.', trashTo: '/trash' }}
      actions={() => actions}
      hasButtons={hasButtons}
      skeleton={<p>Skeleton</p>}
    >
      {({ name }) => <p>Content of {name}</p>}
    </EntityPage>
  )
}

const show = (load: () => Promise<Part>) =>
  render(
    <Providers>
      <PartPage load={load} />
    </Providers>,
  )

const failWith = (status: number) => new ApiError({ status, detail: 'The database is away.', otherwise: '' })

it('EntityPage shows title and content, and sets the title of the tab', async () => {
  const screen = await show(async () => ({ name: 'Wall hook' }))
  await expect.element(screen.getByRole('heading', { name: 'Wall hook', level: 1 })).toBeVisible()
  await expect.element(screen.getByText('Content of Wall hook')).toBeVisible()
  expect(document.title).toContain('Wall hook')
  await expect.element(screen.getByRole('link', { name: 'Parts' })).toHaveAttribute('href', '/parts')
})

it('if the entity is unknown, EntityPage shows links to the list and to the trash', async () => {
  const screen = await show(async () => {
    throw failWith(404)
  })
  await expect.element(screen.getByText('There is no such part')).toBeVisible()
  await expect.element(screen.getByRole('link', { name: /bin|trash/i })).toHaveAttribute('href', '/trash')
})

it('EntityPage reports a failure, and loads again after Retry', async () => {
  let isAway = true
  const screen = await show(async () => {
    if (isAway) throw failWith(503)
    return { name: 'Wall hook' }
  })
  await expect.element(screen.getByText('The part could not be loaded.')).toBeVisible()
  isAway = false
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await expect.element(screen.getByText('Content of Wall hook')).toBeVisible()
})

it('the actions of EntityPage keep their state when the window becomes as narrow as a phone and wide again', async () => {
  const screen = await show(async () => ({ name: 'Wall hook' }))
  const counter = screen.getByRole('button', { name: /^Counted/ })
  await counter.click()
  await expect.element(counter).toHaveTextContent('Counted 1')
  try {
    await page.viewport(390, 844)
    const bar = screen.getByRole('group', { name: 'Actions' })
    await expect.element(bar.getByRole('button')).toHaveTextContent('Counted 1')
    await counter.click()
    await expect.element(counter).toHaveTextContent('Counted 2')
  } finally {
    await page.viewport(1280, 800)
  }
  await expect.element(screen.getByRole('group', { name: 'Actions' })).not.toBeInTheDocument()
  await expect.element(counter).toHaveTextContent('Counted 2')
})

it('on a phone, EntityPage shows its actions in the head instead of a bar if they are only a menu', async () => {
  await page.viewport(390, 844)
  try {
    const screen = await render(
      <Providers>
        <PartPage load={async () => ({ name: 'Wall hook' })} hasButtons={() => false} />
      </Providers>,
    )
    const counter = screen.getByRole('button', { name: /^Counted/ })
    await expect.element(counter).toBeVisible()
    await expect.element(screen.getByRole('group', { name: 'Actions' })).not.toBeInTheDocument()
    const head = screen.getByRole('heading', { level: 1 }).element().parentElement
    expect(head?.contains(counter.element())).toBe(true)
  } finally {
    await page.viewport(1280, 800)
  }
})

it('on a phone, buttons with long labels stay inside the action bar of an entity', async () => {
  await page.viewport(390, 844)
  try {
    const labels = ['Kommissionieren', 'Reservieren: 2', 'Produkt erstellen', 'Bearbeiten']
    const screen = await render(
      <Providers>
        <PartPage
          load={async () => ({ name: 'Wall hook' })}
          actions={labels.map((label) => <Button key={label}>{label}</Button>)}
        />
      </Providers>,
    )
    const bar = screen.getByRole('group', { name: 'Actions' })
    for (const label of labels) {
      const button = bar.getByRole('button', { name: label })
      await expect.element(button).toBeVisible()
      const { left, right } = button.element().getBoundingClientRect()
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(390)
    }
  } finally {
    await page.viewport(1280, 800)
  }
})
