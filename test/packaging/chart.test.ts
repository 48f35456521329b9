/**
 * The Helm chart, read and not run: these tests need neither Helm nor a cluster. All names that it uses exist, it is
 * YAML between its templates, and its pods have only the rights that the image needs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ADMIN_VARIABLES } from '#cli/commands/setup/first-admin'
import manifest from '#package' with { type: 'json' }
import { variables } from '#test/setting-variables'
import { ROOT } from '#test/source-files'

const chart = join(ROOT, 'docs/install/chart')
const read = (name: string) => readFileSync(join(chart, name), 'utf8')
const names = readdirSync(join(chart, 'templates'))
const templates = names.map((name) => ({ name, text: read(join('templates', name)) }))
const everything = templates.map(({ text }) => text).join('\n')

type Tree = { [key: string]: Tree | undefined }
const values = parse(read('values.yaml')) as Tree

/** Every value that a chart may use, such as `image.tag`. Empty values and lists count as a whole. */
function leaves(tree: Tree, path: string[] = []): string[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const isBranch =
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    return isBranch && !WHOLE.has(key) ? leaves(value, [...path, key]) : [[...path, key].join('.')]
  })
}
/** Values that are passed on unchanged. */
const WHOLE = new Set(['annotations', 'resources'])

test('the chart uses every value and no undefined one', () => {
  const used = new Set([...everything.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path))
  expect([...used].sort()).toEqual(leaves(values).sort())
})

test('the chart sets existing settings and has the current version', () => {
  // The password is mounted as a file, and the variable that names it ends in _FILE.
  const known = new Set([...variables(), ...Object.values(ADMIN_VARIABLES), 'MAYFLY_ADMIN_PASSWORD'])
  const set = [...(everything + read('values.yaml')).matchAll(/\b(MAYFLY_[A-Z0-9_]+)\b/g)].map(([, name = '']) => name)
  expect(set.filter((name) => !known.has(name))).toEqual([])
  expect(set.length).toBeGreaterThan(4)
  expect(parse(read('Chart.yaml'))).toMatchObject({ version: manifest.version, appVersion: manifest.version })
})

test.each(templates)('$name has balanced blocks and includes defined templates', ({ text }) => {
  const begun = [...text.matchAll(/\{\{-? *(if|with|range|define)\b/g)]
  const ended = [...text.matchAll(/\{\{-? *end *-?\}\}/g)]
  expect(ended).toHaveLength(begun.length)
  expect([...text.matchAll(/\{\{/g)]).toHaveLength([...text.matchAll(/\}\}/g)].length)
  const defined = [...everything.matchAll(/define "([^"]+)"/g)].map(([, name]) => name)
  expect([...text.matchAll(/include "([^"]+)"/g)].filter(([, name]) => !defined.includes(name))).toEqual([])
})

/** The template with all branches, and a placeholder for each inserted value. */
function asYaml(text: string): string {
  return text
    .replace(
      /^ *\{\{-? *(?:include|toYaml).*nindent (\d+) *\}\}$/gm,
      (_, spaces) => `${' '.repeat(spaces)}inserted: here`,
    )
    .replace(/^ *\{\{-? *(?:if|with|range|else|end|fail)\b.*\}\}\n/gm, '')
    .replace(/\{\{.*?\}\}/g, 'x')
}

test.each(templates.filter(({ name }) => name.endsWith('.yaml')))('$name is YAML with its places', ({ text }) => {
  const { kind, metadata, spec } = parse(asYaml(text)) as Tree
  expect(kind).toMatch(
    /^(Deployment|Service|PersistentVolumeClaim|Ingress|ServiceAccount|ServiceMonitor|PodDisruptionBudget|HorizontalPodAutoscaler|NetworkPolicy)$/,
  )
  expect(metadata?.labels).toMatchObject({ inserted: 'here' })
  expect(spec).toBeTypeOf(`${kind}` === 'ServiceAccount' ? 'undefined' : 'object')
  // An inserted block has the indentation of the line where it begins.
  for (const [, before = '', spaces] of text.matchAll(/^( *)\{\{-.*nindent (\d+) *\}\}$/gm))
    expect(before).toHaveLength(Number(spaces))
})

test('the pod runs as the user of the image without further privileges', () => {
  const { spec } = parse(asYaml(read('templates/deployment.yaml'))) as {
    spec: { template: { spec: { containers: unknown[] } & Tree } }
  }
  const pod = spec.template.spec
  const [, uid, gid] = /^USER (\d+):(\d+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    // A Service named mayfly would set MAYFLY_PORT to tcp://...
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: Number(uid), runAsGroup: Number(gid), fsGroup: Number(gid) },
  })
  expect(pod.containers).toMatchObject([
    {
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    },
  ])
  // Five seconds before the signal and ten after it.
  expect(Number(pod.terminationGracePeriodSeconds)).toBeGreaterThan(15)
})

test('an ingress without trusted proxies is an error', () => {
  expect(read('templates/ingress.yaml')).toMatch(/if not \.Values\.trustedProxies.*\n\{\{- fail /)
})

test('the autoscaler is off by default, replaces replicas, and needs a setup without a volume', () => {
  expect(parse(read('values.yaml'))).toMatchObject({ autoscaling: { enabled: false } })
  const { spec } = parse(asYaml(read('templates/horizontalpodautoscaler.yaml'))) as { spec: Tree }
  expect(spec.scaleTargetRef).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment' })
  const deployment = read('templates/deployment.yaml')
  expect(deployment).toMatch(/if not \.Values\.autoscaling\.enabled \}\}\n *replicas: /)
  expect(deployment).toMatch(
    /^\{\{- if and \.Values\.persistence\.enabled \(or \.Values\.autoscaling\.enabled .*\n\{\{- fail /,
  )
  // Without a request, the autoscaler of Kubernetes has nothing to compare the load with.
  expect(parse(read('values.yaml'))).toMatchObject({ resources: { requests: { cpu: expect.any(String) } } })
})

test('the network policy is off by default, covers the ports of the pod, and opens the metrics to named peers only', () => {
  expect(parse(read('values.yaml'))).toMatchObject({ networkPolicy: { enabled: false, from: [], metricsFrom: [] } })
  const text = read('templates/networkpolicy.yaml')
  const { spec } = parse(asYaml(text)) as { spec: Tree }
  const { spec: deployment } = parse(asYaml(read('templates/deployment.yaml'))) as {
    spec: { selector: Tree; template: { spec: { containers: [{ ports: { name: string }[] }] } } }
  }
  expect(spec.podSelector).toEqual(deployment.selector)
  const ports = deployment.template.spec.containers[0].ports.map(({ name }) => ({ port: name }))
  expect(spec.ingress).toMatchObject(ports.map((port) => ({ ports: [port], from: expect.anything() })))
  expect(text).toContain('{{- if and .Values.metrics.enabled .Values.networkPolicy.metricsFrom }}\n    - ports:')
})

test('metrics listen outside the pod only if they are enabled, and never on the public service', () => {
  const deployment = read('templates/deployment.yaml')
  const [, block = ''] = /\{\{- if \.Values\.metrics\.enabled \}\}\n([\s\S]*?)\{\{- range/.exec(deployment) ?? []
  expect(block).toMatch(/name: MAYFLY_METRICS_HOST\n *value: 0\.0\.0\.0/)
  expect(deployment.match(/MAYFLY_METRICS_HOST/g)).toHaveLength(1)
  expect(read('templates/service.yaml')).not.toContain('metrics')
  expect(parse(read('values.yaml'))).toMatchObject({ metrics: { enabled: false, serviceMonitor: { enabled: false } } })
})
