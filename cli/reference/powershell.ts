/** `mayfly completion powershell`. */

import { quotePowershell } from '../output/shell-quote.js'
import type { Entry } from './command-table.js'
import { formatHeading, listFlags } from './shell-script.js'

export function createPowershellCompletion(entries: Entry[]): string {
  return `${formatHeading('powershell', 'mayfly completion powershell | Out-String | Invoke-Expression')}
$script:MayflyCommands = @{
${entries.map(formatEntry).join('\n')}
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

/** `Takes` is an empty list for free text: PowerShell then offers files. */
function formatEntry(entry: Entry): string {
  const next = entry.next.map(([word, summary]) => `${quotePowershell(word)} = ${quotePowershell(summary)}`)
  const flags = listFlags(entry).flatMap(({ names, description, completes, words }) =>
    names.map((name) => {
      const takes = completes === 'none' ? '$null' : `@(${words.map(quotePowershell).join(', ')})`
      return `      ${quotePowershell(name)} = @{ What = ${quotePowershell(description)}; Takes = ${takes} }`
    }),
  )
  return `  ${quotePowershell(entry.path)} = @{
    Next = @{ ${next.join('; ')} }
    Flags = @{
${flags.join('\n')}
    }
  }`
}
