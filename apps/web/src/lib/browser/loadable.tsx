import { type ComponentType, lazy, Suspense, useState } from 'react'

export interface Loadable<Props> {
  Component: ComponentType<Props>
  /**
   * Loads the component in advance, so that it appears immediately. If loading fails, the error is reported
   * when the component is shown.
   */
  preload: () => Promise<void>
}

/**
 * Wraps a component that is loaded when it is first shown. Once loaded, it renders without delay, unlike a
 * component made with `lazy`.
 */
export function loadable<Props extends object>(load: () => Promise<ComponentType<Props>>): Loadable<Props> {
  let loaded: ComponentType<Props> | null = null
  const remember = async () => {
    loaded = await load()
    return { default: loaded }
  }
  const Waiting = lazy(remember) as ComponentType<Props>
  function Component(props: Props) {
    // The component stays the same until it is unmounted, because another one would lose the state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Waiting)
    return <Shown {...props} />
  }
  const preload = () =>
    remember().then(
      () => undefined,
      () => undefined,
    )
  return { Component, preload }
}

/**
 * Wraps a dialog or another part of a page that is needed late. It is loaded when it is first shown; until
 * then, the page stays unchanged.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const { Component } = loadable(load)
  return (props) => (
    <Suspense fallback={null}>
      <Component {...props} />
    </Suspense>
  )
}
