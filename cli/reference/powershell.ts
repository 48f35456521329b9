/** `mayfly completion powershell`. */

import type { Entry } from './command-table.js'
import { allFlags, heading } from './shell-script.js'

export function powershellCompletion(entries: Entry[]): string {
  return `${heading('powershell', 'mayfly completion powershell | Out-String | Invoke-Expression')}
$script:MayflyCommands = @{
${entries.map(dataOf).join('\n')}
}

Register-ArgumentCompleter -Native -CommandName mayfly -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $at = ''
  $flag = ''
  $typed = $commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() }
  foreach ($word in $typed) {
    $entry = $script:MayflyCommands[$at]
    if ($flag) { $flag = ''; continue }
    if ($word.StartsWith('-')) {
      if ($entry.Flags.Contains($word) -and $null -ne $entry.Flags[$word].Takes) { $flag = $word }
    } elseif ($entry.Next.Contains($word)) {
      $longer = "$at $word".Trim()
      if ($script:MayflyCommands.ContainsKey($longer)) { $at = $longer }
    }
  }
  $entry = $script:MayflyCommands[$at]
  $offered = @{}
  if ($flag) {
    foreach ($value in $entry.Flags[$flag].Takes) { $offered[$value] = $value }
  } elseif ($wordToComplete.StartsWith('-')) {
    foreach ($name in $entry.Flags.Keys) { $offered[$name] = $entry.Flags[$name].What }
  } else {
    foreach ($name in $entry.Next.Keys) { $offered[$name] = $entry.Next[$name] }
  }
  $offered.Keys | Where-Object { $_.StartsWith($wordToComplete) } | Sort-Object | ForEach-Object {
    $what = if ($offered[$_]) { $offered[$_] } else { $_ }
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $what)
  }
}
`
}

/** `Takes` is an empty list for what nobody can guess: PowerShell then offers files. */
function dataOf(entry: Entry): string {
  const next = entry.next.map(([word, summary]) => `${quoted(word)} = ${quoted(summary)}`)
  const flags = allFlags(entry).flatMap(({ names, description, completes, words }) =>
    names.map((name) => {
      const takes = completes === 'none' ? '$null' : `@(${words.map(quoted).join(', ')})`
      return `      ${quoted(name)} = @{ What = ${quoted(description)}; Takes = ${takes} }`
    }),
  )
  return `  ${quoted(entry.path)} = @{
    Next = @{ ${next.join('; ')} }
    Flags = @{
${flags.join('\n')}
    }
  }`
}

/** In single quotes, as PowerShell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
