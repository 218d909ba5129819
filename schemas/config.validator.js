/* oxlint-disable */
// Made by "bun run schemas" from src/config/schema/definition.ts.
"use strict";
export const validate = validate10;
export default validate10;
const schema11 = {"type":"object","required":[],"properties":{"default":{"type":"object","required":[],"properties":{"provider":{"type":"string","maxLength":4096,"description":"A [providers.NAME], or \"offline\": built-in rules, no model","default":"offline","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"temperature":{"type":"number","minimum":0,"maximum":2,"description":"Sampling temperature","default":0.2,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"language":{"type":"string","enum":["en","ru","zh"],"description":"Language of the interface","default":"en","strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"What holds unless something more special is said","additionalProperties":false,"default":{}},"providers":{"type":"object","propertyNames":{"pattern":"^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$","examples":["openai"]},"additionalProperties":{"type":"object","required":["base_url","model"],"properties":{"base_url":{"type":"string","pattern":"^https?://\\S+$","description":"Root of the API, up to and with /v1","examples":["https://api.openai.com/v1"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"api_key":{"type":"string","maxLength":4096,"description":"Key of the endpoint; empty: none","default":"","examples":["env:OPENAI_API_KEY"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":true,"restart":false,"runs":false,"goesBy":["base_url"]},"model":{"type":"string","minLength":1,"maxLength":200,"description":"Model to ask","examples":["gpt-4o-mini"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"extract_model":{"type":"string","maxLength":4096,"description":"Cheaper model for page extraction; empty: model","default":"","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"strict_json":{"type":"boolean","description":"Ask for structured output by schema","default":true,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_tokens":{"type":"integer","minimum":16,"maximum":1000000,"description":"Longest answer in tokens; absent: the endpoint's own limit","examples":[4096],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"context_tokens":{"type":"integer","minimum":4096,"maximum":100000000,"description":"Tokens that question and answer may have; absent: as the model's name is known","examples":[32768],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"price_input_per_mtok":{"type":"number","minimum":0,"maximum":10000,"description":"Price of a million input tokens; absent: tokens only","examples":[0.15],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"price_output_per_mtok":{"type":"number","minimum":0,"maximum":10000,"description":"Price of a million output tokens; absent: tokens only","examples":[0.6],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"An OpenAI-compatible endpoint","additionalProperties":false},"description":"Endpoints by name","default":{},"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"reliability":{"type":"object","required":[],"properties":{"max_retries":{"type":"integer","minimum":0,"maximum":10,"description":"Retries of one request","default":3,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"initial_backoff_ms":{"type":"integer","minimum":10,"maximum":60000,"description":"Wait before the first retry; doubles","default":500,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"request_timeout_s":{"type":"integer","minimum":1,"maximum":3600,"description":"Seconds without progress until a request is given up; a whole answer may take four times as long","default":90,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"fallback_providers":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"maxItems":1000,"description":"Providers tried in order when the first fails","default":[],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Retries and fallbacks of model requests","additionalProperties":false,"default":{}},"security":{"type":"object","required":[],"properties":{"autonomy":{"type":"string","enum":["readonly","supervised","full"],"description":"Effects are denied, need an approval, or need none","default":"supervised","strictness":{"order":"listed","values":["readonly","supervised","full"]},"owner":"person","gate":["full"],"writeOnly":false,"restart":false,"runs":false},"allowed_commands":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"maxItems":1000,"description":"Commands the shell tool may run","default":["ls","cat","grep","find","echo","pwd","git","head","tail","wc"],"strictness":{"order":"fewer"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":true,"goesBy":[]},"workspace_only":{"type":"boolean","description":"Keep reads and commands inside the workspaces","default":true,"strictness":{"order":"listed","values":[true,false]},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"http_allowed_hosts":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"maxItems":1000,"description":"Private hosts the HTTP tools may reach: exact, or \".suffix\"","default":[],"strictness":{"order":"fewer"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"injection_check":{"anyOf":[{"type":"boolean"},{"type":"string","enum":["block","warn","review"]}],"description":"What is done about orders hidden in what is read: left out, marked, or only logged; true: warn; false: not looked for","default":true,"strictness":{"order":"listed","values":["block","warn",true,"review",false]},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"http_strip_threshold_kb":{"type":"integer","minimum":0,"maximum":1024,"description":"Stripped HTML above this is extracted or cut; 0: no strip, raw body","default":200,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"protected_paths":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"maxItems":1000,"description":"Globs added to the built-in list of protected paths","default":[],"strictness":{"order":"more"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"sandbox":{"type":"string","enum":["auto","bwrap","none"],"description":"Sandbox of checks: where it works, always, or never","default":"auto","strictness":{"order":"listed","values":["bwrap","auto","none"]},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"What may happen without a question, and what never","additionalProperties":false,"default":{}},"sandbox":{"type":"object","required":[],"properties":{"max_processes":{"type":"integer","minimum":16,"maximum":32768,"description":"Most processes at once","default":512,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_memory_mb":{"type":"integer","minimum":0,"maximum":10000000,"description":"Megabytes of memory; 0: half of the machine's","default":0,"strictness":{"order":"smaller","zero":"of its own"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_disk_mb":{"type":"integer","minimum":1,"maximum":10000000,"description":"Megabytes of disk over the start","default":2048,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"What a check or a command may use up, with all it starts","additionalProperties":false,"default":{}},"protocol":{"type":"object","required":[],"properties":{"version":{"type":"integer","minimum":1,"maximum":3,"description":"Protocol version","default":2,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"fallback_to_v1":{"type":"boolean","description":"Ask again under v1 when patches do not fit","default":true,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"normalize_eol":{"type":"string","enum":["keep","lf"],"description":"Line ends of new content","default":"keep","strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"How model answers are asked for and read","additionalProperties":false,"default":{}},"context":{"type":"object","required":[],"properties":{"max_files":{"type":"integer","minimum":0,"maximum":200,"description":"Most files of one request; 0: as many as the model's window and max_total_chars hold","default":0,"strictness":{"order":"smaller","zero":"of its own"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_file_chars":{"type":"integer","minimum":1000,"maximum":1000000,"description":"Most characters of one file","default":20000,"strictness":{"order":"smaller"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_total_chars":{"type":"integer","minimum":4000,"maximum":4000000,"description":"Most characters of everything","default":120000,"strictness":{"order":"smaller"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_log_chars":{"type":"integer","minimum":0,"maximum":1000000,"description":"Most characters of logs","default":12000,"strictness":{"order":"smaller"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"How much of a workspace a model is shown","additionalProperties":false,"default":{}},"agent":{"type":"object","required":[],"properties":{"max_tool_iterations":{"type":"integer","minimum":1,"maximum":1000,"description":"Iterations with at least one success","default":10,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_failed_rounds":{"type":"integer","minimum":1,"maximum":100,"description":"Rounds in which every call failed","default":3,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_consecutive_tool_failures":{"type":"integer","minimum":1,"maximum":100,"description":"Rounds of calls in a row in which a tool is out of order until it is withdrawn","default":2,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_fix_rounds":{"type":"integer","minimum":0,"maximum":10,"description":"Corrections of a change set whose checks fail in a view; 0: none","default":2,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"turn_timeout_s":{"type":"integer","minimum":1,"maximum":86400,"description":"Seconds for one turn","default":600,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_parallel_turns":{"type":"integer","minimum":1,"maximum":1024,"description":"Messages to the bot that are answered at a time, each of another chat","default":16,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_tokens_per_day":{"type":"integer","minimum":0,"maximum":10000000000,"description":"Tokens a day; 0: no cap","default":0,"strictness":{"order":"smaller","zero":"no limit"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_cost_per_day":{"type":"number","minimum":0,"maximum":1000000,"description":"Cost a day in the currency of the prices; 0: no cap","default":0,"strictness":{"order":"smaller","zero":"no limit"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Limits of one turn and one day","additionalProperties":false,"default":{}},"online_research":{"type":"object","required":[],"properties":{"enabled":{"type":"boolean","description":"Allow research","default":false,"strictness":{"order":"listed","values":[false,true]},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"auto_use_as_context":{"type":"boolean","description":"Plan again at once with what was found","default":false,"strictness":{"order":"listed","values":[false,true]},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"search":{"type":"string","enum":["tavily","searxng","brave"],"description":"Search service","default":"tavily","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"api_key":{"type":"string","maxLength":4096,"description":"Key of the search service","default":"env:PAPAYU_TAVILY_API_KEY","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":true,"restart":false,"runs":false,"goesBy":["base_url","search"]},"base_url":{"type":"string","pattern":"^(https?://\\S+)?$","description":"Root of the search service; empty: its public one","default":"","examples":["http://127.0.0.1:8080"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_sources":{"type":"integer","minimum":1,"maximum":20,"description":"Search results looked at","default":5,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_pages":{"type":"integer","minimum":1,"maximum":10,"description":"Pages fetched","default":4,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"page_max_bytes":{"type":"integer","minimum":10000,"maximum":500000,"description":"Bytes of one page","default":200000,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"timeout_s":{"type":"integer","minimum":5,"maximum":60,"description":"Seconds for one request","default":20,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"context_max_chars":{"type":"integer","minimum":256,"maximum":32000,"description":"Characters handed to the plan","default":8000,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"context_max_sources":{"type":"integer","minimum":1,"maximum":20,"description":"Sources handed to the plan","default":10,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Research on the web when a plan needs it","seeAlso":"research.md","additionalProperties":false,"default":{}},"places":{"type":"object","required":[],"properties":{"nominatim_url":{"type":"string","pattern":"^https?://\\S+$","description":"Geocoder","default":"https://nominatim.openstreetmap.org","examples":["https://nominatim.openstreetmap.org"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"overpass_url":{"type":"string","pattern":"^https?://\\S+$","description":"Map queries","default":"https://overpass-api.de/api/interpreter","examples":["https://overpass-api.de/api/interpreter"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Services behind the places tool","additionalProperties":false,"default":{}},"mcp":{"type":"object","required":[],"properties":{"servers":{"type":"object","propertyNames":{"description":"made of letters and digits, joined by single `_` or `-`, 32 characters at most","pattern":"^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$","maxLength":32},"additionalProperties":{"type":"object","required":[],"properties":{"command":{"type":"string","maxLength":4096,"description":"Program to start, which speaks on stdin and stdout","default":"","examples":["npx"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":true,"goesBy":["url","command","args","env","cwd"]},"args":{"type":"array","items":{"type":"string","maxLength":4096},"maxItems":100,"description":"Its arguments","default":[],"examples":[["-y","@modelcontextprotocol/server-memory"]],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":true,"goesBy":["url","command","args","env","cwd"]},"env":{"type":"object","propertyNames":{"pattern":"^[A-Za-z_][A-Za-z0-9_]{0,99}$","examples":["LOG_LEVEL"]},"additionalProperties":{"type":"string","maxLength":4096},"description":"Variables besides PATH, HOME and the like, as texts, \"env:NAME\" or \"file:PATH\"","default":{},"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":true,"restart":false,"runs":true,"goesBy":["url","command","args","env","cwd"]},"cwd":{"type":"string","maxLength":4096,"description":"Folder it runs in; empty: the folder of this file","default":"","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":true,"goesBy":["url","command","args","env","cwd"]},"url":{"type":"string","pattern":"^(https?://\\S+)?$","description":"Address of a server that runs already (streamable HTTP)","default":"","examples":["","http://127.0.0.1:8931/mcp"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"bearer_token":{"type":"string","maxLength":4096,"description":"Token for its Authorization header; empty: none","default":"","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":true,"restart":false,"runs":false,"goesBy":["url","command","args","env","cwd"]},"headers":{"type":"object","propertyNames":{"pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$","examples":["X-Api-Key"]},"additionalProperties":{"type":"string","maxLength":4096},"description":"Headers of every request to url, in the same forms","default":{},"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":true,"restart":false,"runs":false,"goesBy":["url","command","args","env","cwd"]},"allowed_tools":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"maxItems":1000,"description":"Tools that may be used, by the server's own names; empty: all","default":[],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"read_only_tools":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"maxItems":1000,"description":"Tools that only read, so that calls need no approval","default":[],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"tools_sha256":{"type":"string","pattern":"^(?:[0-9a-f]{64})?$","description":"SHA-256 of its list of tools, which is your own word as long as it is this one; empty: strangers' text","default":"","examples":["","e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],"strictness":{"order":"none"},"owner":"file","gate":false,"writeOnly":false,"restart":false,"runs":false},"timeout_s":{"type":"integer","minimum":1,"maximum":3600,"description":"Seconds for its start and for each call","default":60,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"enabled":{"type":"boolean","description":"Use it at all","default":true,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"A server of the Model Context Protocol: command or url","seeAlso":"tools.md#mcp-servers","additionalProperties":false},"description":"Servers by name","default":{},"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Tools of other programs","additionalProperties":false,"default":{}},"telegram":{"type":"object","required":[],"properties":{"bot_token":{"type":"string","maxLength":4096,"description":"Token of the bot","default":"env:TELEGRAM_BOT_TOKEN","strictness":{"order":"none"},"owner":"person","gate":true,"writeOnly":true,"restart":true,"runs":false,"goesBy":["api_root","webhook_url"]},"allowed_user_ids":{"type":"array","items":{"type":"integer","minimum":1},"maxItems":1000,"description":"Users who may speak; empty: nobody; unknown users get a pairing code","default":[],"strictness":{"order":"fewer","keeps":"first"},"owner":"person","gate":true,"writeOnly":false,"restart":false,"runs":false},"api_root":{"type":"string","pattern":"^https?://\\S+$","description":"Root of the Bot API","default":"https://api.telegram.org","examples":["https://api.telegram.org"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":true,"runs":false},"approval_timeout_s":{"type":"integer","minimum":1,"maximum":2592000,"description":"Seconds an approval waits","default":86400,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"webhook_url":{"type":"string","pattern":"^(https?://\\S+)?$","description":"Public address where Telegram brings updates; empty: they are fetched","seeAlso":"telegram.md#webhook","default":"","examples":["https://example.org/telegram/webhook"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":true,"runs":false}},"description":"The Telegram channel","additionalProperties":false,"default":{}},"transcription":{"type":"object","required":[],"properties":{"base_url":{"type":"string","pattern":"^(https?://\\S+)?$","description":"Root of the API, up to and with /v1; empty: voice messages are declined","default":"","examples":["https://api.openai.com/v1"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":true,"runs":false},"api_key":{"type":"string","maxLength":4096,"description":"Key of the endpoint; empty: none","default":"","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":true,"restart":true,"runs":false,"goesBy":["base_url"]},"model":{"type":"string","maxLength":4096,"description":"Model that listens; empty: voice messages are declined","default":"","examples":["whisper-1"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":true,"runs":false},"price_per_minute":{"type":"number","minimum":0,"maximum":10000,"description":"Price of a minute of speech; absent: tokens only","examples":[0.006],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Voice messages as text, by an OpenAI-compatible endpoint","additionalProperties":false,"default":{}},"http":{"type":"object","required":[],"properties":{"enabled":{"type":"boolean","description":"Listen at all","default":true,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":true,"runs":false},"host":{"type":"string","maxLength":4096,"description":"Address to listen on; loopback unless told otherwise","default":"127.0.0.1","strictness":{"order":"none"},"owner":"person","gate":true,"writeOnly":false,"restart":true,"runs":false},"port":{"type":"integer","minimum":0,"maximum":65535,"description":"Port to listen on; 0: one that is free","default":7411,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":true,"runs":false},"token":{"type":"string","maxLength":4096,"description":"Bearer token, made at first start","default":"file:~/.papa-yu/http.token","strictness":{"order":"none"},"owner":"person","gate":true,"writeOnly":true,"restart":true,"runs":false,"goesBy":[]},"public_url":{"type":"string","pattern":"^(https://(?![^/]*\\.localhost(?:[:/]|$))(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?(?::[0-9]{1,5})?/?)?$","description":"https address of your own proxy or tunnel, for pages that Telegram opens","seeAlso":"http.md#by-the-public-host","default":"","examples":["https://papayu.example.org"],"strictness":{"order":"none"},"owner":"person","gate":true,"writeOnly":false,"restart":true,"runs":false}},"description":"Local API and dashboard","additionalProperties":false,"default":{}},"trace":{"type":"object","required":[],"properties":{"enabled":{"type":"boolean","description":"Write traces","default":true,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"raw":{"type":"boolean","description":"Keep raw model output, secrets masked","default":false,"strictness":{"order":"listed","values":[false,true]},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Records of what was asked and answered","additionalProperties":false,"default":{}},"retention":{"type":"object","required":[],"properties":{"messages_days":{"type":"integer","minimum":0,"maximum":36500,"description":"Days that conversations and runs of routines are kept; 0: no limit","default":365,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"history_days":{"type":"integer","minimum":0,"maximum":36500,"description":"Days that a change can be undone, and plans and research are kept; 0: no limit","default":90,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"traces_days":{"type":"integer","minimum":0,"maximum":36500,"description":"Days that traces are kept; 0: no limit","default":90,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"logs_days":{"type":"integer","minimum":0,"maximum":36500,"description":"Days that files of the log are kept; 0: no limit","default":30,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"approvals_days":{"type":"integer","minimum":0,"maximum":36500,"description":"Days that answered questions are kept; 0: no limit","default":90,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_mb":{"type":"integer","minimum":0,"maximum":10000000,"description":"Megabytes of all of it together, the oldest first; 0: no limit","default":2048,"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"How long things are kept; what an undo, a work that is not over or a cap needs stays longer","seeAlso":"operations.md","additionalProperties":false,"default":{}},"workspaces":{"type":"array","items":{"type":"object","required":["name","path"],"properties":{"name":{"type":"string","pattern":"^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$","description":"Name to call it by; unique","examples":["site"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"path":{"type":"string","minLength":1,"maxLength":4096,"description":"The folder: absolute, from ~/, or relative to this file","examples":["~/projects/site"],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"check":{"anyOf":[{"type":"array","items":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"minItems":1,"maxItems":100},"maxItems":20},{"type":"boolean","const":false}],"description":"Commands that must pass after an apply, as [[\"bun\", \"test\"]]; []: detected; false: none","default":[],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":true,"goesBy":["name","path"]},"check_timeout_s":{"type":"integer","minimum":1,"maximum":3600,"description":"Seconds for each check","default":120,"strictness":{"order":"smaller"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"check_network":{"type":"boolean","description":"Let checks reach the network from their sandbox","default":false,"strictness":{"order":"listed","values":[false,true]},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_actions":{"type":"integer","minimum":0,"maximum":200,"description":"Most actions in one transaction; 0: by kind of project","default":0,"strictness":{"order":"smaller","zero":"of its own"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"check_when":{"type":"string","enum":["before","after"],"description":"When checks run: in a view of the folder before you are asked, or in the folder after its files were changed","default":"before","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"keep":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"maxItems":100,"description":"Files that checks change in the view and that become part of the change set, as globs from the workspace's root","default":[],"examples":[["package-lock.json","**/__snapshots__/**"]],"strictness":{"order":"fewer"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"generate":{"anyOf":[{"type":"array","items":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4096},"minItems":1,"maxItems":100},"maxItems":20},{"type":"boolean","const":false}],"description":"Commands that make lock files when a manifest changes, as [[\"npm\", \"install\", \"--package-lock-only\", \"--ignore-scripts\"]]; []: detected; false: none","default":[],"strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":true,"goesBy":["name","path"]},"generate_hosts":{"type":"array","items":{"type":"string","pattern":"^\\.?([A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*$","maxLength":253,"examples":["packages.example.com"]},"maxItems":50,"description":"What these commands may reach, on ports 80 and 443: names of hosts, or .suffix for all names below one","default":[],"examples":[["packages.example.com",".example.org"]],"strictness":{"order":"fewer"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"on_failing_baseline":{"type":"string","enum":["ask","apply","refuse"],"description":"What a routine under full autonomy does when a check fails without its change as well","default":"ask","strictness":{"order":"listed","values":["refuse","ask","apply"]},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"A folder that papa-yu may work in","additionalProperties":false},"maxItems":1000,"description":"Folders by name","default":[],"strictness":{"order":"folders"},"owner":"person","gate":false,"writeOnly":false,"restart":false,"runs":false},"routines":{"type":"object","required":[],"properties":{"jobs":{"type":"array","items":{"type":"object","required":["name","schedule","task"],"properties":{"name":{"type":"string","pattern":"^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$","description":"Name to call it by; unique","examples":["morning-tidy"],"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"schedule":{"type":"string","minLength":1,"maxLength":200,"description":"Cron expression of 5 or 6 fields","examples":["0 8 * * *"],"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"timezone":{"type":"string","maxLength":4096,"description":"IANA time zone of the schedule; empty: the machine's","default":"","examples":["Europe/Berlin"],"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"workspace":{"type":"string","maxLength":4096,"description":"Name of a workspace; modes plan and apply need one","default":"","examples":["site"],"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"mode":{"type":"string","enum":["ask","plan","apply"],"description":"What the run may do","default":"plan","strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"task":{"type":"string","minLength":1,"maxLength":20000,"description":"What to do, in words","examples":["Add what a newcomer would miss"],"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"channel":{"type":"string","enum":["telegram","terminal","none"],"description":"Where the result goes","default":"telegram","strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"misfire":{"type":"string","enum":["skip","once","all"],"description":"Runs that fell due while papa-yu was down","default":"once","strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"only_if_changed":{"anyOf":[{"type":"boolean"},{"type":"string","pattern":"^(glob:.|url:https?://).{0,2000}$","examples":["glob:docs/**"]}],"description":"Skip the run when nothing changed since the last one: in the workspace; \"glob:PATTERN\": in these files of it; \"url:ADDRESS\": there","default":true,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"enabled":{"type":"boolean","description":"Run by schedule","default":true,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_runs_per_day":{"type":"integer","minimum":0,"maximum":1440,"description":"Most runs a day (UTC); 0: no cap","default":0,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_tokens_per_day":{"type":"integer","minimum":0,"maximum":1000000000,"description":"Most tokens a day (UTC); 0: no cap","default":0,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"max_cost_per_day":{"type":"number","minimum":0,"maximum":1000000,"description":"Most a day may cost, in the currency of the prices; 0: no cap","default":0,"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"watch":{"type":"string","maxLength":4096,"description":"Glob of workspace files; a change runs it, too; empty: none","default":"","strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false},"trigger_secret":{"type":"string","maxLength":4096,"description":"Lets POST /api/routines/NAME/trigger run it; empty: nobody","default":"","strictness":{"order":"none"},"owner":"person","gate":false,"writeOnly":true,"restart":false,"runs":false,"goesBy":["name"]}},"description":"A task on a schedule","additionalProperties":false},"maxItems":1000,"description":"Routines","default":[],"strictness":{"order":"none"},"owner":"model","gate":false,"writeOnly":false,"restart":false,"runs":false}},"description":"Work on a schedule","additionalProperties":false,"default":{}}},"$schema":"http://json-schema.org/draft-07/schema#","title":"papa-yu configuration","additionalProperties":false};
const func2 = Object.prototype.hasOwnProperty;
const func3 = require("ajv/dist/runtime/ucs2length").default;
const pattern0 = new RegExp("^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$", "u");
const pattern1 = new RegExp("^https?://\\S+$", "u");
const pattern2 = new RegExp("^(https?://\\S+)?$", "u");
const pattern5 = new RegExp("^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$", "u");
const pattern6 = new RegExp("^[A-Za-z_][A-Za-z0-9_]{0,99}$", "u");
const pattern8 = new RegExp("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$", "u");
const pattern9 = new RegExp("^(?:[0-9a-f]{64})?$", "u");
const pattern13 = new RegExp("^(https://(?![^/]*\\.localhost(?:[:/]|$))(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?(?::[0-9]{1,5})?/?)?$", "u");
const pattern15 = new RegExp("^\\.?([A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*$", "u");
const pattern17 = new RegExp("^(glob:.|url:https?://).{0,2000}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.default === undefined){
data.default = {};
}
if(data.providers === undefined){
data.providers = {};
}
if(data.reliability === undefined){
data.reliability = {};
}
if(data.security === undefined){
data.security = {};
}
if(data.sandbox === undefined){
data.sandbox = {};
}
if(data.protocol === undefined){
data.protocol = {};
}
if(data.context === undefined){
data.context = {};
}
if(data.agent === undefined){
data.agent = {};
}
if(data.online_research === undefined){
data.online_research = {};
}
if(data.places === undefined){
data.places = {};
}
if(data.mcp === undefined){
data.mcp = {};
}
if(data.telegram === undefined){
data.telegram = {};
}
if(data.transcription === undefined){
data.transcription = {};
}
if(data.http === undefined){
data.http = {};
}
if(data.trace === undefined){
data.trace = {};
}
if(data.retention === undefined){
data.retention = {};
}
if(data.workspaces === undefined){
data.workspaces = [];
}
if(data.routines === undefined){
data.routines = {};
}
for(const key0 in data){
if(!(func2.call(schema11.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
let data0 = data.default;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.provider === undefined){
data0.provider = "offline";
}
if(data0.temperature === undefined){
data0.temperature = 0.2;
}
if(data0.language === undefined){
data0.language = "en";
}
for(const key1 in data0){
if(!(((key1 === "provider") || (key1 === "temperature")) || (key1 === "language"))){
const err1 = {instancePath:instancePath+"/default",schemaPath:"#/properties/default/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
let data1 = data0.provider;
if(typeof data1 === "string"){
if(func3(data1) > 4096){
const err2 = {instancePath:instancePath+"/default/provider",schemaPath:"#/properties/default/properties/provider/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/default/provider",schemaPath:"#/properties/default/properties/provider/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
let data2 = data0.temperature;
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2 || isNaN(data2)){
const err4 = {instancePath:instancePath+"/default/temperature",schemaPath:"#/properties/default/properties/temperature/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data2 < 0 || isNaN(data2)){
const err5 = {instancePath:instancePath+"/default/temperature",schemaPath:"#/properties/default/properties/temperature/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/default/temperature",schemaPath:"#/properties/default/properties/temperature/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
let data3 = data0.language;
if(typeof data3 !== "string"){
const err7 = {instancePath:instancePath+"/default/language",schemaPath:"#/properties/default/properties/language/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!(((data3 === "en") || (data3 === "ru")) || (data3 === "zh"))){
const err8 = {instancePath:instancePath+"/default/language",schemaPath:"#/properties/default/properties/language/enum",keyword:"enum",params:{allowedValues: schema11.properties.default.properties.language.enum}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/default",schemaPath:"#/properties/default/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
let data4 = data.providers;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key2 in data4){
const _errs13 = errors;
if(typeof key2 === "string"){
if(!pattern0.test(key2)){
const err10 = {instancePath:instancePath+"/providers",schemaPath:"#/properties/providers/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$"},propertyName:key2};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
var valid2 = _errs13 === errors;
if(!valid2){
const err11 = {instancePath:instancePath+"/providers",schemaPath:"#/properties/providers/propertyNames",keyword:"propertyNames",params:{propertyName: key2}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
for(const key3 in data4){
let data5 = data4[key3];
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.api_key === undefined){
data5.api_key = "";
}
if(data5.extract_model === undefined){
data5.extract_model = "";
}
if(data5.strict_json === undefined){
data5.strict_json = true;
}
if(data5.base_url === undefined){
const err12 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/providers/additionalProperties/required",keyword:"required",params:{missingProperty: "base_url"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data5.model === undefined){
const err13 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/providers/additionalProperties/required",keyword:"required",params:{missingProperty: "model"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
for(const key4 in data5){
if(!(func2.call(schema11.properties.providers.additionalProperties.properties, key4))){
const err14 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/providers/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data5.base_url !== undefined){
let data6 = data5.base_url;
if(typeof data6 === "string"){
if(!pattern1.test(data6)){
const err15 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/base_url",schemaPath:"#/properties/providers/additionalProperties/properties/base_url/pattern",keyword:"pattern",params:{pattern: "^https?://\\S+$"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/base_url",schemaPath:"#/properties/providers/additionalProperties/properties/base_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
let data7 = data5.api_key;
if(typeof data7 === "string"){
if(func3(data7) > 4096){
const err17 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/api_key",schemaPath:"#/properties/providers/additionalProperties/properties/api_key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/api_key",schemaPath:"#/properties/providers/additionalProperties/properties/api_key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data5.model !== undefined){
let data8 = data5.model;
if(typeof data8 === "string"){
if(func3(data8) > 200){
const err19 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/model",schemaPath:"#/properties/providers/additionalProperties/properties/model/maxLength",keyword:"maxLength",params:{limit: 200}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(func3(data8) < 1){
const err20 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/model",schemaPath:"#/properties/providers/additionalProperties/properties/model/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/model",schemaPath:"#/properties/providers/additionalProperties/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
let data9 = data5.extract_model;
if(typeof data9 === "string"){
if(func3(data9) > 4096){
const err22 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/extract_model",schemaPath:"#/properties/providers/additionalProperties/properties/extract_model/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/extract_model",schemaPath:"#/properties/providers/additionalProperties/properties/extract_model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(typeof data5.strict_json !== "boolean"){
const err24 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/strict_json",schemaPath:"#/properties/providers/additionalProperties/properties/strict_json/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data5.max_tokens !== undefined){
let data11 = data5.max_tokens;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err25 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/max_tokens",schemaPath:"#/properties/providers/additionalProperties/properties/max_tokens/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 1000000 || isNaN(data11)){
const err26 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/max_tokens",schemaPath:"#/properties/providers/additionalProperties/properties/max_tokens/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data11 < 16 || isNaN(data11)){
const err27 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/max_tokens",schemaPath:"#/properties/providers/additionalProperties/properties/max_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 16}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
if(data5.context_tokens !== undefined){
let data12 = data5.context_tokens;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err28 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/context_tokens",schemaPath:"#/properties/providers/additionalProperties/properties/context_tokens/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 100000000 || isNaN(data12)){
const err29 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/context_tokens",schemaPath:"#/properties/providers/additionalProperties/properties/context_tokens/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100000000}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data12 < 4096 || isNaN(data12)){
const err30 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/context_tokens",schemaPath:"#/properties/providers/additionalProperties/properties/context_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 4096}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
if(data5.price_input_per_mtok !== undefined){
let data13 = data5.price_input_per_mtok;
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 10000 || isNaN(data13)){
const err31 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/price_input_per_mtok",schemaPath:"#/properties/providers/additionalProperties/properties/price_input_per_mtok/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data13 < 0 || isNaN(data13)){
const err32 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/price_input_per_mtok",schemaPath:"#/properties/providers/additionalProperties/properties/price_input_per_mtok/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/price_input_per_mtok",schemaPath:"#/properties/providers/additionalProperties/properties/price_input_per_mtok/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data5.price_output_per_mtok !== undefined){
let data14 = data5.price_output_per_mtok;
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 10000 || isNaN(data14)){
const err34 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/price_output_per_mtok",schemaPath:"#/properties/providers/additionalProperties/properties/price_output_per_mtok/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(data14 < 0 || isNaN(data14)){
const err35 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/price_output_per_mtok",schemaPath:"#/properties/providers/additionalProperties/properties/price_output_per_mtok/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/price_output_per_mtok",schemaPath:"#/properties/providers/additionalProperties/properties/price_output_per_mtok/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath:instancePath+"/providers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/providers/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/providers",schemaPath:"#/properties/providers/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
let data15 = data.reliability;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if(data15.max_retries === undefined){
data15.max_retries = 3;
}
if(data15.initial_backoff_ms === undefined){
data15.initial_backoff_ms = 500;
}
if(data15.request_timeout_s === undefined){
data15.request_timeout_s = 90;
}
if(data15.fallback_providers === undefined){
data15.fallback_providers = [];
}
for(const key5 in data15){
if(!((((key5 === "max_retries") || (key5 === "initial_backoff_ms")) || (key5 === "request_timeout_s")) || (key5 === "fallback_providers"))){
const err39 = {instancePath:instancePath+"/reliability",schemaPath:"#/properties/reliability/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
let data16 = data15.max_retries;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err40 = {instancePath:instancePath+"/reliability/max_retries",schemaPath:"#/properties/reliability/properties/max_retries/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 10 || isNaN(data16)){
const err41 = {instancePath:instancePath+"/reliability/max_retries",schemaPath:"#/properties/reliability/properties/max_retries/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data16 < 0 || isNaN(data16)){
const err42 = {instancePath:instancePath+"/reliability/max_retries",schemaPath:"#/properties/reliability/properties/max_retries/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
let data17 = data15.initial_backoff_ms;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err43 = {instancePath:instancePath+"/reliability/initial_backoff_ms",schemaPath:"#/properties/reliability/properties/initial_backoff_ms/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 60000 || isNaN(data17)){
const err44 = {instancePath:instancePath+"/reliability/initial_backoff_ms",schemaPath:"#/properties/reliability/properties/initial_backoff_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data17 < 10 || isNaN(data17)){
const err45 = {instancePath:instancePath+"/reliability/initial_backoff_ms",schemaPath:"#/properties/reliability/properties/initial_backoff_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 10}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
let data18 = data15.request_timeout_s;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err46 = {instancePath:instancePath+"/reliability/request_timeout_s",schemaPath:"#/properties/reliability/properties/request_timeout_s/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 3600 || isNaN(data18)){
const err47 = {instancePath:instancePath+"/reliability/request_timeout_s",schemaPath:"#/properties/reliability/properties/request_timeout_s/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(data18 < 1 || isNaN(data18)){
const err48 = {instancePath:instancePath+"/reliability/request_timeout_s",schemaPath:"#/properties/reliability/properties/request_timeout_s/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
let data19 = data15.fallback_providers;
if(Array.isArray(data19)){
if(data19.length > 1000){
const err49 = {instancePath:instancePath+"/reliability/fallback_providers",schemaPath:"#/properties/reliability/properties/fallback_providers/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
const len0 = data19.length;
for(let i0=0; i0<len0; i0++){
let data20 = data19[i0];
if(typeof data20 === "string"){
if(func3(data20) > 4096){
const err50 = {instancePath:instancePath+"/reliability/fallback_providers/" + i0,schemaPath:"#/properties/reliability/properties/fallback_providers/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(func3(data20) < 1){
const err51 = {instancePath:instancePath+"/reliability/fallback_providers/" + i0,schemaPath:"#/properties/reliability/properties/fallback_providers/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/reliability/fallback_providers/" + i0,schemaPath:"#/properties/reliability/properties/fallback_providers/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
}
else {
const err53 = {instancePath:instancePath+"/reliability/fallback_providers",schemaPath:"#/properties/reliability/properties/fallback_providers/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
else {
const err54 = {instancePath:instancePath+"/reliability",schemaPath:"#/properties/reliability/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
let data21 = data.security;
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
if(data21.autonomy === undefined){
data21.autonomy = "supervised";
}
if(data21.allowed_commands === undefined){
data21.allowed_commands = ["ls","cat","grep","find","echo","pwd","git","head","tail","wc"];
}
if(data21.workspace_only === undefined){
data21.workspace_only = true;
}
if(data21.http_allowed_hosts === undefined){
data21.http_allowed_hosts = [];
}
if(data21.injection_check === undefined){
data21.injection_check = true;
}
if(data21.http_strip_threshold_kb === undefined){
data21.http_strip_threshold_kb = 200;
}
if(data21.protected_paths === undefined){
data21.protected_paths = [];
}
if(data21.sandbox === undefined){
data21.sandbox = "auto";
}
for(const key6 in data21){
if(!((((((((key6 === "autonomy") || (key6 === "allowed_commands")) || (key6 === "workspace_only")) || (key6 === "http_allowed_hosts")) || (key6 === "injection_check")) || (key6 === "http_strip_threshold_kb")) || (key6 === "protected_paths")) || (key6 === "sandbox"))){
const err55 = {instancePath:instancePath+"/security",schemaPath:"#/properties/security/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
let data22 = data21.autonomy;
if(typeof data22 !== "string"){
const err56 = {instancePath:instancePath+"/security/autonomy",schemaPath:"#/properties/security/properties/autonomy/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(!(((data22 === "readonly") || (data22 === "supervised")) || (data22 === "full"))){
const err57 = {instancePath:instancePath+"/security/autonomy",schemaPath:"#/properties/security/properties/autonomy/enum",keyword:"enum",params:{allowedValues: schema11.properties.security.properties.autonomy.enum}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
let data23 = data21.allowed_commands;
if(Array.isArray(data23)){
if(data23.length > 1000){
const err58 = {instancePath:instancePath+"/security/allowed_commands",schemaPath:"#/properties/security/properties/allowed_commands/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
const len1 = data23.length;
for(let i1=0; i1<len1; i1++){
let data24 = data23[i1];
if(typeof data24 === "string"){
if(func3(data24) > 4096){
const err59 = {instancePath:instancePath+"/security/allowed_commands/" + i1,schemaPath:"#/properties/security/properties/allowed_commands/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(func3(data24) < 1){
const err60 = {instancePath:instancePath+"/security/allowed_commands/" + i1,schemaPath:"#/properties/security/properties/allowed_commands/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
else {
const err61 = {instancePath:instancePath+"/security/allowed_commands/" + i1,schemaPath:"#/properties/security/properties/allowed_commands/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
else {
const err62 = {instancePath:instancePath+"/security/allowed_commands",schemaPath:"#/properties/security/properties/allowed_commands/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(typeof data21.workspace_only !== "boolean"){
const err63 = {instancePath:instancePath+"/security/workspace_only",schemaPath:"#/properties/security/properties/workspace_only/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
let data26 = data21.http_allowed_hosts;
if(Array.isArray(data26)){
if(data26.length > 1000){
const err64 = {instancePath:instancePath+"/security/http_allowed_hosts",schemaPath:"#/properties/security/properties/http_allowed_hosts/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
const len2 = data26.length;
for(let i2=0; i2<len2; i2++){
let data27 = data26[i2];
if(typeof data27 === "string"){
if(func3(data27) > 4096){
const err65 = {instancePath:instancePath+"/security/http_allowed_hosts/" + i2,schemaPath:"#/properties/security/properties/http_allowed_hosts/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if(func3(data27) < 1){
const err66 = {instancePath:instancePath+"/security/http_allowed_hosts/" + i2,schemaPath:"#/properties/security/properties/http_allowed_hosts/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
else {
const err67 = {instancePath:instancePath+"/security/http_allowed_hosts/" + i2,schemaPath:"#/properties/security/properties/http_allowed_hosts/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
else {
const err68 = {instancePath:instancePath+"/security/http_allowed_hosts",schemaPath:"#/properties/security/properties/http_allowed_hosts/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
let data28 = data21.injection_check;
const _errs65 = errors;
let valid13 = false;
const _errs66 = errors;
if(typeof data28 !== "boolean"){
const err69 = {instancePath:instancePath+"/security/injection_check",schemaPath:"#/properties/security/properties/injection_check/anyOf/0/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
var _valid0 = _errs66 === errors;
valid13 = valid13 || _valid0;
if(!valid13){
const _errs68 = errors;
if(typeof data28 !== "string"){
const err70 = {instancePath:instancePath+"/security/injection_check",schemaPath:"#/properties/security/properties/injection_check/anyOf/1/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(!(((data28 === "block") || (data28 === "warn")) || (data28 === "review"))){
const err71 = {instancePath:instancePath+"/security/injection_check",schemaPath:"#/properties/security/properties/injection_check/anyOf/1/enum",keyword:"enum",params:{allowedValues: schema11.properties.security.properties.injection_check.anyOf[1].enum}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
var _valid0 = _errs68 === errors;
valid13 = valid13 || _valid0;
}
if(!valid13){
const err72 = {instancePath:instancePath+"/security/injection_check",schemaPath:"#/properties/security/properties/injection_check/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
else {
errors = _errs65;
if(vErrors !== null){
if(_errs65){
vErrors.length = _errs65;
}
else {
vErrors = null;
}
}
}
let data29 = data21.http_strip_threshold_kb;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
const err73 = {instancePath:instancePath+"/security/http_strip_threshold_kb",schemaPath:"#/properties/security/properties/http_strip_threshold_kb/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 > 1024 || isNaN(data29)){
const err74 = {instancePath:instancePath+"/security/http_strip_threshold_kb",schemaPath:"#/properties/security/properties/http_strip_threshold_kb/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1024}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if(data29 < 0 || isNaN(data29)){
const err75 = {instancePath:instancePath+"/security/http_strip_threshold_kb",schemaPath:"#/properties/security/properties/http_strip_threshold_kb/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
let data30 = data21.protected_paths;
if(Array.isArray(data30)){
if(data30.length > 1000){
const err76 = {instancePath:instancePath+"/security/protected_paths",schemaPath:"#/properties/security/properties/protected_paths/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
const len3 = data30.length;
for(let i3=0; i3<len3; i3++){
let data31 = data30[i3];
if(typeof data31 === "string"){
if(func3(data31) > 4096){
const err77 = {instancePath:instancePath+"/security/protected_paths/" + i3,schemaPath:"#/properties/security/properties/protected_paths/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if(func3(data31) < 1){
const err78 = {instancePath:instancePath+"/security/protected_paths/" + i3,schemaPath:"#/properties/security/properties/protected_paths/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
else {
const err79 = {instancePath:instancePath+"/security/protected_paths/" + i3,schemaPath:"#/properties/security/properties/protected_paths/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
}
else {
const err80 = {instancePath:instancePath+"/security/protected_paths",schemaPath:"#/properties/security/properties/protected_paths/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
let data32 = data21.sandbox;
if(typeof data32 !== "string"){
const err81 = {instancePath:instancePath+"/security/sandbox",schemaPath:"#/properties/security/properties/sandbox/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
if(!(((data32 === "auto") || (data32 === "bwrap")) || (data32 === "none"))){
const err82 = {instancePath:instancePath+"/security/sandbox",schemaPath:"#/properties/security/properties/sandbox/enum",keyword:"enum",params:{allowedValues: schema11.properties.security.properties.sandbox.enum}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
else {
const err83 = {instancePath:instancePath+"/security",schemaPath:"#/properties/security/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
let data33 = data.sandbox;
if(data33 && typeof data33 == "object" && !Array.isArray(data33)){
if(data33.max_processes === undefined){
data33.max_processes = 512;
}
if(data33.max_memory_mb === undefined){
data33.max_memory_mb = 0;
}
if(data33.max_disk_mb === undefined){
data33.max_disk_mb = 2048;
}
for(const key7 in data33){
if(!(((key7 === "max_processes") || (key7 === "max_memory_mb")) || (key7 === "max_disk_mb"))){
const err84 = {instancePath:instancePath+"/sandbox",schemaPath:"#/properties/sandbox/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
let data34 = data33.max_processes;
if(!(((typeof data34 == "number") && (!(data34 % 1) && !isNaN(data34))) && (isFinite(data34)))){
const err85 = {instancePath:instancePath+"/sandbox/max_processes",schemaPath:"#/properties/sandbox/properties/max_processes/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if((typeof data34 == "number") && (isFinite(data34))){
if(data34 > 32768 || isNaN(data34)){
const err86 = {instancePath:instancePath+"/sandbox/max_processes",schemaPath:"#/properties/sandbox/properties/max_processes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 32768}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if(data34 < 16 || isNaN(data34)){
const err87 = {instancePath:instancePath+"/sandbox/max_processes",schemaPath:"#/properties/sandbox/properties/max_processes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 16}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
let data35 = data33.max_memory_mb;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err88 = {instancePath:instancePath+"/sandbox/max_memory_mb",schemaPath:"#/properties/sandbox/properties/max_memory_mb/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 > 10000000 || isNaN(data35)){
const err89 = {instancePath:instancePath+"/sandbox/max_memory_mb",schemaPath:"#/properties/sandbox/properties/max_memory_mb/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
if(data35 < 0 || isNaN(data35)){
const err90 = {instancePath:instancePath+"/sandbox/max_memory_mb",schemaPath:"#/properties/sandbox/properties/max_memory_mb/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
let data36 = data33.max_disk_mb;
if(!(((typeof data36 == "number") && (!(data36 % 1) && !isNaN(data36))) && (isFinite(data36)))){
const err91 = {instancePath:instancePath+"/sandbox/max_disk_mb",schemaPath:"#/properties/sandbox/properties/max_disk_mb/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 > 10000000 || isNaN(data36)){
const err92 = {instancePath:instancePath+"/sandbox/max_disk_mb",schemaPath:"#/properties/sandbox/properties/max_disk_mb/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if(data36 < 1 || isNaN(data36)){
const err93 = {instancePath:instancePath+"/sandbox/max_disk_mb",schemaPath:"#/properties/sandbox/properties/max_disk_mb/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
}
else {
const err94 = {instancePath:instancePath+"/sandbox",schemaPath:"#/properties/sandbox/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
let data37 = data.protocol;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
if(data37.version === undefined){
data37.version = 2;
}
if(data37.fallback_to_v1 === undefined){
data37.fallback_to_v1 = true;
}
if(data37.normalize_eol === undefined){
data37.normalize_eol = "keep";
}
for(const key8 in data37){
if(!(((key8 === "version") || (key8 === "fallback_to_v1")) || (key8 === "normalize_eol"))){
const err95 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
let data38 = data37.version;
if(!(((typeof data38 == "number") && (!(data38 % 1) && !isNaN(data38))) && (isFinite(data38)))){
const err96 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if((typeof data38 == "number") && (isFinite(data38))){
if(data38 > 3 || isNaN(data38)){
const err97 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if(data38 < 1 || isNaN(data38)){
const err98 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
if(typeof data37.fallback_to_v1 !== "boolean"){
const err99 = {instancePath:instancePath+"/protocol/fallback_to_v1",schemaPath:"#/properties/protocol/properties/fallback_to_v1/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
let data40 = data37.normalize_eol;
if(typeof data40 !== "string"){
const err100 = {instancePath:instancePath+"/protocol/normalize_eol",schemaPath:"#/properties/protocol/properties/normalize_eol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
if(!((data40 === "keep") || (data40 === "lf"))){
const err101 = {instancePath:instancePath+"/protocol/normalize_eol",schemaPath:"#/properties/protocol/properties/normalize_eol/enum",keyword:"enum",params:{allowedValues: schema11.properties.protocol.properties.normalize_eol.enum}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
else {
const err102 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
let data41 = data.context;
if(data41 && typeof data41 == "object" && !Array.isArray(data41)){
if(data41.max_files === undefined){
data41.max_files = 0;
}
if(data41.max_file_chars === undefined){
data41.max_file_chars = 20000;
}
if(data41.max_total_chars === undefined){
data41.max_total_chars = 120000;
}
if(data41.max_log_chars === undefined){
data41.max_log_chars = 12000;
}
for(const key9 in data41){
if(!((((key9 === "max_files") || (key9 === "max_file_chars")) || (key9 === "max_total_chars")) || (key9 === "max_log_chars"))){
const err103 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
let data42 = data41.max_files;
if(!(((typeof data42 == "number") && (!(data42 % 1) && !isNaN(data42))) && (isFinite(data42)))){
const err104 = {instancePath:instancePath+"/context/max_files",schemaPath:"#/properties/context/properties/max_files/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
if((typeof data42 == "number") && (isFinite(data42))){
if(data42 > 200 || isNaN(data42)){
const err105 = {instancePath:instancePath+"/context/max_files",schemaPath:"#/properties/context/properties/max_files/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
if(data42 < 0 || isNaN(data42)){
const err106 = {instancePath:instancePath+"/context/max_files",schemaPath:"#/properties/context/properties/max_files/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
let data43 = data41.max_file_chars;
if(!(((typeof data43 == "number") && (!(data43 % 1) && !isNaN(data43))) && (isFinite(data43)))){
const err107 = {instancePath:instancePath+"/context/max_file_chars",schemaPath:"#/properties/context/properties/max_file_chars/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
if((typeof data43 == "number") && (isFinite(data43))){
if(data43 > 1000000 || isNaN(data43)){
const err108 = {instancePath:instancePath+"/context/max_file_chars",schemaPath:"#/properties/context/properties/max_file_chars/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
if(data43 < 1000 || isNaN(data43)){
const err109 = {instancePath:instancePath+"/context/max_file_chars",schemaPath:"#/properties/context/properties/max_file_chars/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1000}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
let data44 = data41.max_total_chars;
if(!(((typeof data44 == "number") && (!(data44 % 1) && !isNaN(data44))) && (isFinite(data44)))){
const err110 = {instancePath:instancePath+"/context/max_total_chars",schemaPath:"#/properties/context/properties/max_total_chars/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
if((typeof data44 == "number") && (isFinite(data44))){
if(data44 > 4000000 || isNaN(data44)){
const err111 = {instancePath:instancePath+"/context/max_total_chars",schemaPath:"#/properties/context/properties/max_total_chars/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4000000}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
if(data44 < 4000 || isNaN(data44)){
const err112 = {instancePath:instancePath+"/context/max_total_chars",schemaPath:"#/properties/context/properties/max_total_chars/minimum",keyword:"minimum",params:{comparison: ">=", limit: 4000}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
let data45 = data41.max_log_chars;
if(!(((typeof data45 == "number") && (!(data45 % 1) && !isNaN(data45))) && (isFinite(data45)))){
const err113 = {instancePath:instancePath+"/context/max_log_chars",schemaPath:"#/properties/context/properties/max_log_chars/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
if((typeof data45 == "number") && (isFinite(data45))){
if(data45 > 1000000 || isNaN(data45)){
const err114 = {instancePath:instancePath+"/context/max_log_chars",schemaPath:"#/properties/context/properties/max_log_chars/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
if(data45 < 0 || isNaN(data45)){
const err115 = {instancePath:instancePath+"/context/max_log_chars",schemaPath:"#/properties/context/properties/max_log_chars/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
}
else {
const err116 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
let data46 = data.agent;
if(data46 && typeof data46 == "object" && !Array.isArray(data46)){
if(data46.max_tool_iterations === undefined){
data46.max_tool_iterations = 10;
}
if(data46.max_failed_rounds === undefined){
data46.max_failed_rounds = 3;
}
if(data46.max_consecutive_tool_failures === undefined){
data46.max_consecutive_tool_failures = 2;
}
if(data46.max_fix_rounds === undefined){
data46.max_fix_rounds = 2;
}
if(data46.turn_timeout_s === undefined){
data46.turn_timeout_s = 600;
}
if(data46.max_parallel_turns === undefined){
data46.max_parallel_turns = 16;
}
if(data46.max_tokens_per_day === undefined){
data46.max_tokens_per_day = 0;
}
if(data46.max_cost_per_day === undefined){
data46.max_cost_per_day = 0;
}
for(const key10 in data46){
if(!((((((((key10 === "max_tool_iterations") || (key10 === "max_failed_rounds")) || (key10 === "max_consecutive_tool_failures")) || (key10 === "max_fix_rounds")) || (key10 === "turn_timeout_s")) || (key10 === "max_parallel_turns")) || (key10 === "max_tokens_per_day")) || (key10 === "max_cost_per_day"))){
const err117 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
let data47 = data46.max_tool_iterations;
if(!(((typeof data47 == "number") && (!(data47 % 1) && !isNaN(data47))) && (isFinite(data47)))){
const err118 = {instancePath:instancePath+"/agent/max_tool_iterations",schemaPath:"#/properties/agent/properties/max_tool_iterations/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
if((typeof data47 == "number") && (isFinite(data47))){
if(data47 > 1000 || isNaN(data47)){
const err119 = {instancePath:instancePath+"/agent/max_tool_iterations",schemaPath:"#/properties/agent/properties/max_tool_iterations/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000}};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if(data47 < 1 || isNaN(data47)){
const err120 = {instancePath:instancePath+"/agent/max_tool_iterations",schemaPath:"#/properties/agent/properties/max_tool_iterations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
}
let data48 = data46.max_failed_rounds;
if(!(((typeof data48 == "number") && (!(data48 % 1) && !isNaN(data48))) && (isFinite(data48)))){
const err121 = {instancePath:instancePath+"/agent/max_failed_rounds",schemaPath:"#/properties/agent/properties/max_failed_rounds/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
if((typeof data48 == "number") && (isFinite(data48))){
if(data48 > 100 || isNaN(data48)){
const err122 = {instancePath:instancePath+"/agent/max_failed_rounds",schemaPath:"#/properties/agent/properties/max_failed_rounds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if(data48 < 1 || isNaN(data48)){
const err123 = {instancePath:instancePath+"/agent/max_failed_rounds",schemaPath:"#/properties/agent/properties/max_failed_rounds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
}
let data49 = data46.max_consecutive_tool_failures;
if(!(((typeof data49 == "number") && (!(data49 % 1) && !isNaN(data49))) && (isFinite(data49)))){
const err124 = {instancePath:instancePath+"/agent/max_consecutive_tool_failures",schemaPath:"#/properties/agent/properties/max_consecutive_tool_failures/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
if((typeof data49 == "number") && (isFinite(data49))){
if(data49 > 100 || isNaN(data49)){
const err125 = {instancePath:instancePath+"/agent/max_consecutive_tool_failures",schemaPath:"#/properties/agent/properties/max_consecutive_tool_failures/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
if(data49 < 1 || isNaN(data49)){
const err126 = {instancePath:instancePath+"/agent/max_consecutive_tool_failures",schemaPath:"#/properties/agent/properties/max_consecutive_tool_failures/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
}
let data50 = data46.max_fix_rounds;
if(!(((typeof data50 == "number") && (!(data50 % 1) && !isNaN(data50))) && (isFinite(data50)))){
const err127 = {instancePath:instancePath+"/agent/max_fix_rounds",schemaPath:"#/properties/agent/properties/max_fix_rounds/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
if((typeof data50 == "number") && (isFinite(data50))){
if(data50 > 10 || isNaN(data50)){
const err128 = {instancePath:instancePath+"/agent/max_fix_rounds",schemaPath:"#/properties/agent/properties/max_fix_rounds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10}};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
if(data50 < 0 || isNaN(data50)){
const err129 = {instancePath:instancePath+"/agent/max_fix_rounds",schemaPath:"#/properties/agent/properties/max_fix_rounds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
let data51 = data46.turn_timeout_s;
if(!(((typeof data51 == "number") && (!(data51 % 1) && !isNaN(data51))) && (isFinite(data51)))){
const err130 = {instancePath:instancePath+"/agent/turn_timeout_s",schemaPath:"#/properties/agent/properties/turn_timeout_s/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
if((typeof data51 == "number") && (isFinite(data51))){
if(data51 > 86400 || isNaN(data51)){
const err131 = {instancePath:instancePath+"/agent/turn_timeout_s",schemaPath:"#/properties/agent/properties/turn_timeout_s/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
if(data51 < 1 || isNaN(data51)){
const err132 = {instancePath:instancePath+"/agent/turn_timeout_s",schemaPath:"#/properties/agent/properties/turn_timeout_s/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
}
let data52 = data46.max_parallel_turns;
if(!(((typeof data52 == "number") && (!(data52 % 1) && !isNaN(data52))) && (isFinite(data52)))){
const err133 = {instancePath:instancePath+"/agent/max_parallel_turns",schemaPath:"#/properties/agent/properties/max_parallel_turns/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
if((typeof data52 == "number") && (isFinite(data52))){
if(data52 > 1024 || isNaN(data52)){
const err134 = {instancePath:instancePath+"/agent/max_parallel_turns",schemaPath:"#/properties/agent/properties/max_parallel_turns/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1024}};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
if(data52 < 1 || isNaN(data52)){
const err135 = {instancePath:instancePath+"/agent/max_parallel_turns",schemaPath:"#/properties/agent/properties/max_parallel_turns/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
let data53 = data46.max_tokens_per_day;
if(!(((typeof data53 == "number") && (!(data53 % 1) && !isNaN(data53))) && (isFinite(data53)))){
const err136 = {instancePath:instancePath+"/agent/max_tokens_per_day",schemaPath:"#/properties/agent/properties/max_tokens_per_day/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
if((typeof data53 == "number") && (isFinite(data53))){
if(data53 > 10000000000 || isNaN(data53)){
const err137 = {instancePath:instancePath+"/agent/max_tokens_per_day",schemaPath:"#/properties/agent/properties/max_tokens_per_day/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000000}};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
if(data53 < 0 || isNaN(data53)){
const err138 = {instancePath:instancePath+"/agent/max_tokens_per_day",schemaPath:"#/properties/agent/properties/max_tokens_per_day/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
let data54 = data46.max_cost_per_day;
if((typeof data54 == "number") && (isFinite(data54))){
if(data54 > 1000000 || isNaN(data54)){
const err139 = {instancePath:instancePath+"/agent/max_cost_per_day",schemaPath:"#/properties/agent/properties/max_cost_per_day/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
if(data54 < 0 || isNaN(data54)){
const err140 = {instancePath:instancePath+"/agent/max_cost_per_day",schemaPath:"#/properties/agent/properties/max_cost_per_day/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
}
else {
const err141 = {instancePath:instancePath+"/agent/max_cost_per_day",schemaPath:"#/properties/agent/properties/max_cost_per_day/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
}
else {
const err142 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
let data55 = data.online_research;
if(data55 && typeof data55 == "object" && !Array.isArray(data55)){
if(data55.enabled === undefined){
data55.enabled = false;
}
if(data55.auto_use_as_context === undefined){
data55.auto_use_as_context = false;
}
if(data55.search === undefined){
data55.search = "tavily";
}
if(data55.api_key === undefined){
data55.api_key = "env:PAPAYU_TAVILY_API_KEY";
}
if(data55.base_url === undefined){
data55.base_url = "";
}
if(data55.max_sources === undefined){
data55.max_sources = 5;
}
if(data55.max_pages === undefined){
data55.max_pages = 4;
}
if(data55.page_max_bytes === undefined){
data55.page_max_bytes = 200000;
}
if(data55.timeout_s === undefined){
data55.timeout_s = 20;
}
if(data55.context_max_chars === undefined){
data55.context_max_chars = 8000;
}
if(data55.context_max_sources === undefined){
data55.context_max_sources = 10;
}
for(const key11 in data55){
if(!(func2.call(schema11.properties.online_research.properties, key11))){
const err143 = {instancePath:instancePath+"/online_research",schemaPath:"#/properties/online_research/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
if(typeof data55.enabled !== "boolean"){
const err144 = {instancePath:instancePath+"/online_research/enabled",schemaPath:"#/properties/online_research/properties/enabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
if(typeof data55.auto_use_as_context !== "boolean"){
const err145 = {instancePath:instancePath+"/online_research/auto_use_as_context",schemaPath:"#/properties/online_research/properties/auto_use_as_context/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
let data58 = data55.search;
if(typeof data58 !== "string"){
const err146 = {instancePath:instancePath+"/online_research/search",schemaPath:"#/properties/online_research/properties/search/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
if(!(((data58 === "tavily") || (data58 === "searxng")) || (data58 === "brave"))){
const err147 = {instancePath:instancePath+"/online_research/search",schemaPath:"#/properties/online_research/properties/search/enum",keyword:"enum",params:{allowedValues: schema11.properties.online_research.properties.search.enum}};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
let data59 = data55.api_key;
if(typeof data59 === "string"){
if(func3(data59) > 4096){
const err148 = {instancePath:instancePath+"/online_research/api_key",schemaPath:"#/properties/online_research/properties/api_key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
}
else {
const err149 = {instancePath:instancePath+"/online_research/api_key",schemaPath:"#/properties/online_research/properties/api_key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
let data60 = data55.base_url;
if(typeof data60 === "string"){
if(!pattern2.test(data60)){
const err150 = {instancePath:instancePath+"/online_research/base_url",schemaPath:"#/properties/online_research/properties/base_url/pattern",keyword:"pattern",params:{pattern: "^(https?://\\S+)?$"}};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
}
else {
const err151 = {instancePath:instancePath+"/online_research/base_url",schemaPath:"#/properties/online_research/properties/base_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
let data61 = data55.max_sources;
if(!(((typeof data61 == "number") && (!(data61 % 1) && !isNaN(data61))) && (isFinite(data61)))){
const err152 = {instancePath:instancePath+"/online_research/max_sources",schemaPath:"#/properties/online_research/properties/max_sources/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
if((typeof data61 == "number") && (isFinite(data61))){
if(data61 > 20 || isNaN(data61)){
const err153 = {instancePath:instancePath+"/online_research/max_sources",schemaPath:"#/properties/online_research/properties/max_sources/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20}};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
if(data61 < 1 || isNaN(data61)){
const err154 = {instancePath:instancePath+"/online_research/max_sources",schemaPath:"#/properties/online_research/properties/max_sources/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
let data62 = data55.max_pages;
if(!(((typeof data62 == "number") && (!(data62 % 1) && !isNaN(data62))) && (isFinite(data62)))){
const err155 = {instancePath:instancePath+"/online_research/max_pages",schemaPath:"#/properties/online_research/properties/max_pages/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
if((typeof data62 == "number") && (isFinite(data62))){
if(data62 > 10 || isNaN(data62)){
const err156 = {instancePath:instancePath+"/online_research/max_pages",schemaPath:"#/properties/online_research/properties/max_pages/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10}};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
if(data62 < 1 || isNaN(data62)){
const err157 = {instancePath:instancePath+"/online_research/max_pages",schemaPath:"#/properties/online_research/properties/max_pages/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
}
let data63 = data55.page_max_bytes;
if(!(((typeof data63 == "number") && (!(data63 % 1) && !isNaN(data63))) && (isFinite(data63)))){
const err158 = {instancePath:instancePath+"/online_research/page_max_bytes",schemaPath:"#/properties/online_research/properties/page_max_bytes/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
if((typeof data63 == "number") && (isFinite(data63))){
if(data63 > 500000 || isNaN(data63)){
const err159 = {instancePath:instancePath+"/online_research/page_max_bytes",schemaPath:"#/properties/online_research/properties/page_max_bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500000}};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
if(data63 < 10000 || isNaN(data63)){
const err160 = {instancePath:instancePath+"/online_research/page_max_bytes",schemaPath:"#/properties/online_research/properties/page_max_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 10000}};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
let data64 = data55.timeout_s;
if(!(((typeof data64 == "number") && (!(data64 % 1) && !isNaN(data64))) && (isFinite(data64)))){
const err161 = {instancePath:instancePath+"/online_research/timeout_s",schemaPath:"#/properties/online_research/properties/timeout_s/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
if((typeof data64 == "number") && (isFinite(data64))){
if(data64 > 60 || isNaN(data64)){
const err162 = {instancePath:instancePath+"/online_research/timeout_s",schemaPath:"#/properties/online_research/properties/timeout_s/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
if(data64 < 5 || isNaN(data64)){
const err163 = {instancePath:instancePath+"/online_research/timeout_s",schemaPath:"#/properties/online_research/properties/timeout_s/minimum",keyword:"minimum",params:{comparison: ">=", limit: 5}};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
}
let data65 = data55.context_max_chars;
if(!(((typeof data65 == "number") && (!(data65 % 1) && !isNaN(data65))) && (isFinite(data65)))){
const err164 = {instancePath:instancePath+"/online_research/context_max_chars",schemaPath:"#/properties/online_research/properties/context_max_chars/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
if((typeof data65 == "number") && (isFinite(data65))){
if(data65 > 32000 || isNaN(data65)){
const err165 = {instancePath:instancePath+"/online_research/context_max_chars",schemaPath:"#/properties/online_research/properties/context_max_chars/maximum",keyword:"maximum",params:{comparison: "<=", limit: 32000}};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
if(data65 < 256 || isNaN(data65)){
const err166 = {instancePath:instancePath+"/online_research/context_max_chars",schemaPath:"#/properties/online_research/properties/context_max_chars/minimum",keyword:"minimum",params:{comparison: ">=", limit: 256}};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
}
let data66 = data55.context_max_sources;
if(!(((typeof data66 == "number") && (!(data66 % 1) && !isNaN(data66))) && (isFinite(data66)))){
const err167 = {instancePath:instancePath+"/online_research/context_max_sources",schemaPath:"#/properties/online_research/properties/context_max_sources/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
if((typeof data66 == "number") && (isFinite(data66))){
if(data66 > 20 || isNaN(data66)){
const err168 = {instancePath:instancePath+"/online_research/context_max_sources",schemaPath:"#/properties/online_research/properties/context_max_sources/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20}};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
if(data66 < 1 || isNaN(data66)){
const err169 = {instancePath:instancePath+"/online_research/context_max_sources",schemaPath:"#/properties/online_research/properties/context_max_sources/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
}
}
else {
const err170 = {instancePath:instancePath+"/online_research",schemaPath:"#/properties/online_research/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
let data67 = data.places;
if(data67 && typeof data67 == "object" && !Array.isArray(data67)){
if(data67.nominatim_url === undefined){
data67.nominatim_url = "https://nominatim.openstreetmap.org";
}
if(data67.overpass_url === undefined){
data67.overpass_url = "https://overpass-api.de/api/interpreter";
}
for(const key12 in data67){
if(!((key12 === "nominatim_url") || (key12 === "overpass_url"))){
const err171 = {instancePath:instancePath+"/places",schemaPath:"#/properties/places/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
let data68 = data67.nominatim_url;
if(typeof data68 === "string"){
if(!pattern1.test(data68)){
const err172 = {instancePath:instancePath+"/places/nominatim_url",schemaPath:"#/properties/places/properties/nominatim_url/pattern",keyword:"pattern",params:{pattern: "^https?://\\S+$"}};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
else {
const err173 = {instancePath:instancePath+"/places/nominatim_url",schemaPath:"#/properties/places/properties/nominatim_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
let data69 = data67.overpass_url;
if(typeof data69 === "string"){
if(!pattern1.test(data69)){
const err174 = {instancePath:instancePath+"/places/overpass_url",schemaPath:"#/properties/places/properties/overpass_url/pattern",keyword:"pattern",params:{pattern: "^https?://\\S+$"}};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
else {
const err175 = {instancePath:instancePath+"/places/overpass_url",schemaPath:"#/properties/places/properties/overpass_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
}
else {
const err176 = {instancePath:instancePath+"/places",schemaPath:"#/properties/places/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
let data70 = data.mcp;
if(data70 && typeof data70 == "object" && !Array.isArray(data70)){
if(data70.servers === undefined){
data70.servers = {};
}
for(const key13 in data70){
if(!(key13 === "servers")){
const err177 = {instancePath:instancePath+"/mcp",schemaPath:"#/properties/mcp/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13}};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
}
let data71 = data70.servers;
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
for(const key14 in data71){
const _errs163 = errors;
if(typeof key14 === "string"){
if(func3(key14) > 32){
const err178 = {instancePath:instancePath+"/mcp/servers",schemaPath:"#/properties/mcp/properties/servers/propertyNames/maxLength",keyword:"maxLength",params:{limit: 32},propertyName:key14};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
if(!pattern5.test(key14)){
const err179 = {instancePath:instancePath+"/mcp/servers",schemaPath:"#/properties/mcp/properties/servers/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$"},propertyName:key14};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
var valid23 = _errs163 === errors;
if(!valid23){
const err180 = {instancePath:instancePath+"/mcp/servers",schemaPath:"#/properties/mcp/properties/servers/propertyNames",keyword:"propertyNames",params:{propertyName: key14}};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
}
for(const key15 in data71){
let data72 = data71[key15];
if(data72 && typeof data72 == "object" && !Array.isArray(data72)){
if(data72.command === undefined){
data72.command = "";
}
if(data72.args === undefined){
data72.args = [];
}
if(data72.env === undefined){
data72.env = {};
}
if(data72.cwd === undefined){
data72.cwd = "";
}
if(data72.url === undefined){
data72.url = "";
}
if(data72.bearer_token === undefined){
data72.bearer_token = "";
}
if(data72.headers === undefined){
data72.headers = {};
}
if(data72.allowed_tools === undefined){
data72.allowed_tools = [];
}
if(data72.read_only_tools === undefined){
data72.read_only_tools = [];
}
if(data72.tools_sha256 === undefined){
data72.tools_sha256 = "";
}
if(data72.timeout_s === undefined){
data72.timeout_s = 60;
}
if(data72.enabled === undefined){
data72.enabled = true;
}
for(const key16 in data72){
if(!(func2.call(schema11.properties.mcp.properties.servers.additionalProperties.properties, key16))){
const err181 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/mcp/properties/servers/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16}};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
}
let data73 = data72.command;
if(typeof data73 === "string"){
if(func3(data73) > 4096){
const err182 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/command",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/command/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
}
else {
const err183 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/command",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/command/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
let data74 = data72.args;
if(Array.isArray(data74)){
if(data74.length > 100){
const err184 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/args",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/args/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
const len4 = data74.length;
for(let i4=0; i4<len4; i4++){
let data75 = data74[i4];
if(typeof data75 === "string"){
if(func3(data75) > 4096){
const err185 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/args/" + i4,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/args/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
}
else {
const err186 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/args/" + i4,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/args/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
}
}
else {
const err187 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/args",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/args/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
let data76 = data72.env;
if(data76 && typeof data76 == "object" && !Array.isArray(data76)){
for(const key17 in data76){
const _errs176 = errors;
if(typeof key17 === "string"){
if(!pattern6.test(key17)){
const err188 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/env",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/env/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z_][A-Za-z0-9_]{0,99}$"},propertyName:key17};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
}
var valid28 = _errs176 === errors;
if(!valid28){
const err189 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/env",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/env/propertyNames",keyword:"propertyNames",params:{propertyName: key17}};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
}
for(const key18 in data76){
let data77 = data76[key18];
if(typeof data77 === "string"){
if(func3(data77) > 4096){
const err190 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/env/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/env/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
}
else {
const err191 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/env/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/env/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
}
}
else {
const err192 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/env",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/env/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
let data78 = data72.cwd;
if(typeof data78 === "string"){
if(func3(data78) > 4096){
const err193 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/cwd",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/cwd/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
}
else {
const err194 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/cwd",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/cwd/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
let data79 = data72.url;
if(typeof data79 === "string"){
if(!pattern2.test(data79)){
const err195 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/url",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/url/pattern",keyword:"pattern",params:{pattern: "^(https?://\\S+)?$"}};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
}
else {
const err196 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/url",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
let data80 = data72.bearer_token;
if(typeof data80 === "string"){
if(func3(data80) > 4096){
const err197 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/bearer_token",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/bearer_token/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
}
else {
const err198 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/bearer_token",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/bearer_token/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
let data81 = data72.headers;
if(data81 && typeof data81 == "object" && !Array.isArray(data81)){
for(const key19 in data81){
const _errs188 = errors;
if(typeof key19 === "string"){
if(!pattern8.test(key19)){
const err199 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/headers",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/headers/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$"},propertyName:key19};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
}
var valid30 = _errs188 === errors;
if(!valid30){
const err200 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/headers",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/headers/propertyNames",keyword:"propertyNames",params:{propertyName: key19}};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
}
for(const key20 in data81){
let data82 = data81[key20];
if(typeof data82 === "string"){
if(func3(data82) > 4096){
const err201 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/headers/" + key20.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/headers/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
}
else {
const err202 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/headers/" + key20.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/headers/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
}
}
else {
const err203 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/headers",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/headers/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
let data83 = data72.allowed_tools;
if(Array.isArray(data83)){
if(data83.length > 1000){
const err204 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/allowed_tools",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/allowed_tools/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
const len5 = data83.length;
for(let i5=0; i5<len5; i5++){
let data84 = data83[i5];
if(typeof data84 === "string"){
if(func3(data84) > 4096){
const err205 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/allowed_tools/" + i5,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/allowed_tools/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
if(func3(data84) < 1){
const err206 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/allowed_tools/" + i5,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/allowed_tools/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
}
else {
const err207 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/allowed_tools/" + i5,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/allowed_tools/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
}
}
else {
const err208 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/allowed_tools",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/allowed_tools/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
let data85 = data72.read_only_tools;
if(Array.isArray(data85)){
if(data85.length > 1000){
const err209 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/read_only_tools",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/read_only_tools/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
const len6 = data85.length;
for(let i6=0; i6<len6; i6++){
let data86 = data85[i6];
if(typeof data86 === "string"){
if(func3(data86) > 4096){
const err210 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/read_only_tools/" + i6,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/read_only_tools/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
if(func3(data86) < 1){
const err211 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/read_only_tools/" + i6,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/read_only_tools/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
}
else {
const err212 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/read_only_tools/" + i6,schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/read_only_tools/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
}
}
else {
const err213 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/read_only_tools",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/read_only_tools/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
let data87 = data72.tools_sha256;
if(typeof data87 === "string"){
if(!pattern9.test(data87)){
const err214 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools_sha256",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/tools_sha256/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{64})?$"}};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
}
else {
const err215 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/tools_sha256",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/tools_sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
let data88 = data72.timeout_s;
if(!(((typeof data88 == "number") && (!(data88 % 1) && !isNaN(data88))) && (isFinite(data88)))){
const err216 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/timeout_s",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/timeout_s/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
if((typeof data88 == "number") && (isFinite(data88))){
if(data88 > 3600 || isNaN(data88)){
const err217 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/timeout_s",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/timeout_s/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600}};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
if(data88 < 1 || isNaN(data88)){
const err218 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/timeout_s",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/timeout_s/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
}
if(typeof data72.enabled !== "boolean"){
const err219 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/enabled",schemaPath:"#/properties/mcp/properties/servers/additionalProperties/properties/enabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
}
else {
const err220 = {instancePath:instancePath+"/mcp/servers/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/mcp/properties/servers/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
}
}
else {
const err221 = {instancePath:instancePath+"/mcp/servers",schemaPath:"#/properties/mcp/properties/servers/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
}
else {
const err222 = {instancePath:instancePath+"/mcp",schemaPath:"#/properties/mcp/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err222];
}
else {
vErrors.push(err222);
}
errors++;
}
let data90 = data.telegram;
if(data90 && typeof data90 == "object" && !Array.isArray(data90)){
if(data90.bot_token === undefined){
data90.bot_token = "env:TELEGRAM_BOT_TOKEN";
}
if(data90.allowed_user_ids === undefined){
data90.allowed_user_ids = [];
}
if(data90.api_root === undefined){
data90.api_root = "https://api.telegram.org";
}
if(data90.approval_timeout_s === undefined){
data90.approval_timeout_s = 86400;
}
if(data90.webhook_url === undefined){
data90.webhook_url = "";
}
for(const key21 in data90){
if(!(((((key21 === "bot_token") || (key21 === "allowed_user_ids")) || (key21 === "api_root")) || (key21 === "approval_timeout_s")) || (key21 === "webhook_url"))){
const err223 = {instancePath:instancePath+"/telegram",schemaPath:"#/properties/telegram/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21}};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
}
let data91 = data90.bot_token;
if(typeof data91 === "string"){
if(func3(data91) > 4096){
const err224 = {instancePath:instancePath+"/telegram/bot_token",schemaPath:"#/properties/telegram/properties/bot_token/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
}
else {
const err225 = {instancePath:instancePath+"/telegram/bot_token",schemaPath:"#/properties/telegram/properties/bot_token/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
let data92 = data90.allowed_user_ids;
if(Array.isArray(data92)){
if(data92.length > 1000){
const err226 = {instancePath:instancePath+"/telegram/allowed_user_ids",schemaPath:"#/properties/telegram/properties/allowed_user_ids/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
const len7 = data92.length;
for(let i7=0; i7<len7; i7++){
let data93 = data92[i7];
if(!(((typeof data93 == "number") && (!(data93 % 1) && !isNaN(data93))) && (isFinite(data93)))){
const err227 = {instancePath:instancePath+"/telegram/allowed_user_ids/" + i7,schemaPath:"#/properties/telegram/properties/allowed_user_ids/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
if((typeof data93 == "number") && (isFinite(data93))){
if(data93 < 1 || isNaN(data93)){
const err228 = {instancePath:instancePath+"/telegram/allowed_user_ids/" + i7,schemaPath:"#/properties/telegram/properties/allowed_user_ids/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
}
}
}
else {
const err229 = {instancePath:instancePath+"/telegram/allowed_user_ids",schemaPath:"#/properties/telegram/properties/allowed_user_ids/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err229];
}
else {
vErrors.push(err229);
}
errors++;
}
let data94 = data90.api_root;
if(typeof data94 === "string"){
if(!pattern1.test(data94)){
const err230 = {instancePath:instancePath+"/telegram/api_root",schemaPath:"#/properties/telegram/properties/api_root/pattern",keyword:"pattern",params:{pattern: "^https?://\\S+$"}};
if(vErrors === null){
vErrors = [err230];
}
else {
vErrors.push(err230);
}
errors++;
}
}
else {
const err231 = {instancePath:instancePath+"/telegram/api_root",schemaPath:"#/properties/telegram/properties/api_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err231];
}
else {
vErrors.push(err231);
}
errors++;
}
let data95 = data90.approval_timeout_s;
if(!(((typeof data95 == "number") && (!(data95 % 1) && !isNaN(data95))) && (isFinite(data95)))){
const err232 = {instancePath:instancePath+"/telegram/approval_timeout_s",schemaPath:"#/properties/telegram/properties/approval_timeout_s/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err232];
}
else {
vErrors.push(err232);
}
errors++;
}
if((typeof data95 == "number") && (isFinite(data95))){
if(data95 > 2592000 || isNaN(data95)){
const err233 = {instancePath:instancePath+"/telegram/approval_timeout_s",schemaPath:"#/properties/telegram/properties/approval_timeout_s/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2592000}};
if(vErrors === null){
vErrors = [err233];
}
else {
vErrors.push(err233);
}
errors++;
}
if(data95 < 1 || isNaN(data95)){
const err234 = {instancePath:instancePath+"/telegram/approval_timeout_s",schemaPath:"#/properties/telegram/properties/approval_timeout_s/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err234];
}
else {
vErrors.push(err234);
}
errors++;
}
}
let data96 = data90.webhook_url;
if(typeof data96 === "string"){
if(!pattern2.test(data96)){
const err235 = {instancePath:instancePath+"/telegram/webhook_url",schemaPath:"#/properties/telegram/properties/webhook_url/pattern",keyword:"pattern",params:{pattern: "^(https?://\\S+)?$"}};
if(vErrors === null){
vErrors = [err235];
}
else {
vErrors.push(err235);
}
errors++;
}
}
else {
const err236 = {instancePath:instancePath+"/telegram/webhook_url",schemaPath:"#/properties/telegram/properties/webhook_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err236];
}
else {
vErrors.push(err236);
}
errors++;
}
}
else {
const err237 = {instancePath:instancePath+"/telegram",schemaPath:"#/properties/telegram/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err237];
}
else {
vErrors.push(err237);
}
errors++;
}
let data97 = data.transcription;
if(data97 && typeof data97 == "object" && !Array.isArray(data97)){
if(data97.base_url === undefined){
data97.base_url = "";
}
if(data97.api_key === undefined){
data97.api_key = "";
}
if(data97.model === undefined){
data97.model = "";
}
for(const key22 in data97){
if(!((((key22 === "base_url") || (key22 === "api_key")) || (key22 === "model")) || (key22 === "price_per_minute"))){
const err238 = {instancePath:instancePath+"/transcription",schemaPath:"#/properties/transcription/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22}};
if(vErrors === null){
vErrors = [err238];
}
else {
vErrors.push(err238);
}
errors++;
}
}
let data98 = data97.base_url;
if(typeof data98 === "string"){
if(!pattern2.test(data98)){
const err239 = {instancePath:instancePath+"/transcription/base_url",schemaPath:"#/properties/transcription/properties/base_url/pattern",keyword:"pattern",params:{pattern: "^(https?://\\S+)?$"}};
if(vErrors === null){
vErrors = [err239];
}
else {
vErrors.push(err239);
}
errors++;
}
}
else {
const err240 = {instancePath:instancePath+"/transcription/base_url",schemaPath:"#/properties/transcription/properties/base_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err240];
}
else {
vErrors.push(err240);
}
errors++;
}
let data99 = data97.api_key;
if(typeof data99 === "string"){
if(func3(data99) > 4096){
const err241 = {instancePath:instancePath+"/transcription/api_key",schemaPath:"#/properties/transcription/properties/api_key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err241];
}
else {
vErrors.push(err241);
}
errors++;
}
}
else {
const err242 = {instancePath:instancePath+"/transcription/api_key",schemaPath:"#/properties/transcription/properties/api_key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err242];
}
else {
vErrors.push(err242);
}
errors++;
}
let data100 = data97.model;
if(typeof data100 === "string"){
if(func3(data100) > 4096){
const err243 = {instancePath:instancePath+"/transcription/model",schemaPath:"#/properties/transcription/properties/model/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err243];
}
else {
vErrors.push(err243);
}
errors++;
}
}
else {
const err244 = {instancePath:instancePath+"/transcription/model",schemaPath:"#/properties/transcription/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err244];
}
else {
vErrors.push(err244);
}
errors++;
}
if(data97.price_per_minute !== undefined){
let data101 = data97.price_per_minute;
if((typeof data101 == "number") && (isFinite(data101))){
if(data101 > 10000 || isNaN(data101)){
const err245 = {instancePath:instancePath+"/transcription/price_per_minute",schemaPath:"#/properties/transcription/properties/price_per_minute/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000}};
if(vErrors === null){
vErrors = [err245];
}
else {
vErrors.push(err245);
}
errors++;
}
if(data101 < 0 || isNaN(data101)){
const err246 = {instancePath:instancePath+"/transcription/price_per_minute",schemaPath:"#/properties/transcription/properties/price_per_minute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err246];
}
else {
vErrors.push(err246);
}
errors++;
}
}
else {
const err247 = {instancePath:instancePath+"/transcription/price_per_minute",schemaPath:"#/properties/transcription/properties/price_per_minute/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err247];
}
else {
vErrors.push(err247);
}
errors++;
}
}
}
else {
const err248 = {instancePath:instancePath+"/transcription",schemaPath:"#/properties/transcription/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err248];
}
else {
vErrors.push(err248);
}
errors++;
}
let data102 = data.http;
if(data102 && typeof data102 == "object" && !Array.isArray(data102)){
if(data102.enabled === undefined){
data102.enabled = true;
}
if(data102.host === undefined){
data102.host = "127.0.0.1";
}
if(data102.port === undefined){
data102.port = 7411;
}
if(data102.token === undefined){
data102.token = "file:~/.papa-yu/http.token";
}
if(data102.public_url === undefined){
data102.public_url = "";
}
for(const key23 in data102){
if(!(((((key23 === "enabled") || (key23 === "host")) || (key23 === "port")) || (key23 === "token")) || (key23 === "public_url"))){
const err249 = {instancePath:instancePath+"/http",schemaPath:"#/properties/http/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key23}};
if(vErrors === null){
vErrors = [err249];
}
else {
vErrors.push(err249);
}
errors++;
}
}
if(typeof data102.enabled !== "boolean"){
const err250 = {instancePath:instancePath+"/http/enabled",schemaPath:"#/properties/http/properties/enabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err250];
}
else {
vErrors.push(err250);
}
errors++;
}
let data104 = data102.host;
if(typeof data104 === "string"){
if(func3(data104) > 4096){
const err251 = {instancePath:instancePath+"/http/host",schemaPath:"#/properties/http/properties/host/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err251];
}
else {
vErrors.push(err251);
}
errors++;
}
}
else {
const err252 = {instancePath:instancePath+"/http/host",schemaPath:"#/properties/http/properties/host/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err252];
}
else {
vErrors.push(err252);
}
errors++;
}
let data105 = data102.port;
if(!(((typeof data105 == "number") && (!(data105 % 1) && !isNaN(data105))) && (isFinite(data105)))){
const err253 = {instancePath:instancePath+"/http/port",schemaPath:"#/properties/http/properties/port/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err253];
}
else {
vErrors.push(err253);
}
errors++;
}
if((typeof data105 == "number") && (isFinite(data105))){
if(data105 > 65535 || isNaN(data105)){
const err254 = {instancePath:instancePath+"/http/port",schemaPath:"#/properties/http/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err254];
}
else {
vErrors.push(err254);
}
errors++;
}
if(data105 < 0 || isNaN(data105)){
const err255 = {instancePath:instancePath+"/http/port",schemaPath:"#/properties/http/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err255];
}
else {
vErrors.push(err255);
}
errors++;
}
}
let data106 = data102.token;
if(typeof data106 === "string"){
if(func3(data106) > 4096){
const err256 = {instancePath:instancePath+"/http/token",schemaPath:"#/properties/http/properties/token/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err256];
}
else {
vErrors.push(err256);
}
errors++;
}
}
else {
const err257 = {instancePath:instancePath+"/http/token",schemaPath:"#/properties/http/properties/token/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err257];
}
else {
vErrors.push(err257);
}
errors++;
}
let data107 = data102.public_url;
if(typeof data107 === "string"){
if(!pattern13.test(data107)){
const err258 = {instancePath:instancePath+"/http/public_url",schemaPath:"#/properties/http/properties/public_url/pattern",keyword:"pattern",params:{pattern: "^(https://(?![^/]*\\.localhost(?:[:/]|$))(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?(?::[0-9]{1,5})?/?)?$"}};
if(vErrors === null){
vErrors = [err258];
}
else {
vErrors.push(err258);
}
errors++;
}
}
else {
const err259 = {instancePath:instancePath+"/http/public_url",schemaPath:"#/properties/http/properties/public_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err259];
}
else {
vErrors.push(err259);
}
errors++;
}
}
else {
const err260 = {instancePath:instancePath+"/http",schemaPath:"#/properties/http/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err260];
}
else {
vErrors.push(err260);
}
errors++;
}
let data108 = data.trace;
if(data108 && typeof data108 == "object" && !Array.isArray(data108)){
if(data108.enabled === undefined){
data108.enabled = true;
}
if(data108.raw === undefined){
data108.raw = false;
}
for(const key24 in data108){
if(!((key24 === "enabled") || (key24 === "raw"))){
const err261 = {instancePath:instancePath+"/trace",schemaPath:"#/properties/trace/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key24}};
if(vErrors === null){
vErrors = [err261];
}
else {
vErrors.push(err261);
}
errors++;
}
}
if(typeof data108.enabled !== "boolean"){
const err262 = {instancePath:instancePath+"/trace/enabled",schemaPath:"#/properties/trace/properties/enabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err262];
}
else {
vErrors.push(err262);
}
errors++;
}
if(typeof data108.raw !== "boolean"){
const err263 = {instancePath:instancePath+"/trace/raw",schemaPath:"#/properties/trace/properties/raw/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err263];
}
else {
vErrors.push(err263);
}
errors++;
}
}
else {
const err264 = {instancePath:instancePath+"/trace",schemaPath:"#/properties/trace/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err264];
}
else {
vErrors.push(err264);
}
errors++;
}
let data111 = data.retention;
if(data111 && typeof data111 == "object" && !Array.isArray(data111)){
if(data111.messages_days === undefined){
data111.messages_days = 365;
}
if(data111.history_days === undefined){
data111.history_days = 90;
}
if(data111.traces_days === undefined){
data111.traces_days = 90;
}
if(data111.logs_days === undefined){
data111.logs_days = 30;
}
if(data111.approvals_days === undefined){
data111.approvals_days = 90;
}
if(data111.max_mb === undefined){
data111.max_mb = 2048;
}
for(const key25 in data111){
if(!((((((key25 === "messages_days") || (key25 === "history_days")) || (key25 === "traces_days")) || (key25 === "logs_days")) || (key25 === "approvals_days")) || (key25 === "max_mb"))){
const err265 = {instancePath:instancePath+"/retention",schemaPath:"#/properties/retention/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key25}};
if(vErrors === null){
vErrors = [err265];
}
else {
vErrors.push(err265);
}
errors++;
}
}
let data112 = data111.messages_days;
if(!(((typeof data112 == "number") && (!(data112 % 1) && !isNaN(data112))) && (isFinite(data112)))){
const err266 = {instancePath:instancePath+"/retention/messages_days",schemaPath:"#/properties/retention/properties/messages_days/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err266];
}
else {
vErrors.push(err266);
}
errors++;
}
if((typeof data112 == "number") && (isFinite(data112))){
if(data112 > 36500 || isNaN(data112)){
const err267 = {instancePath:instancePath+"/retention/messages_days",schemaPath:"#/properties/retention/properties/messages_days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}};
if(vErrors === null){
vErrors = [err267];
}
else {
vErrors.push(err267);
}
errors++;
}
if(data112 < 0 || isNaN(data112)){
const err268 = {instancePath:instancePath+"/retention/messages_days",schemaPath:"#/properties/retention/properties/messages_days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err268];
}
else {
vErrors.push(err268);
}
errors++;
}
}
let data113 = data111.history_days;
if(!(((typeof data113 == "number") && (!(data113 % 1) && !isNaN(data113))) && (isFinite(data113)))){
const err269 = {instancePath:instancePath+"/retention/history_days",schemaPath:"#/properties/retention/properties/history_days/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err269];
}
else {
vErrors.push(err269);
}
errors++;
}
if((typeof data113 == "number") && (isFinite(data113))){
if(data113 > 36500 || isNaN(data113)){
const err270 = {instancePath:instancePath+"/retention/history_days",schemaPath:"#/properties/retention/properties/history_days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}};
if(vErrors === null){
vErrors = [err270];
}
else {
vErrors.push(err270);
}
errors++;
}
if(data113 < 0 || isNaN(data113)){
const err271 = {instancePath:instancePath+"/retention/history_days",schemaPath:"#/properties/retention/properties/history_days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err271];
}
else {
vErrors.push(err271);
}
errors++;
}
}
let data114 = data111.traces_days;
if(!(((typeof data114 == "number") && (!(data114 % 1) && !isNaN(data114))) && (isFinite(data114)))){
const err272 = {instancePath:instancePath+"/retention/traces_days",schemaPath:"#/properties/retention/properties/traces_days/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err272];
}
else {
vErrors.push(err272);
}
errors++;
}
if((typeof data114 == "number") && (isFinite(data114))){
if(data114 > 36500 || isNaN(data114)){
const err273 = {instancePath:instancePath+"/retention/traces_days",schemaPath:"#/properties/retention/properties/traces_days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}};
if(vErrors === null){
vErrors = [err273];
}
else {
vErrors.push(err273);
}
errors++;
}
if(data114 < 0 || isNaN(data114)){
const err274 = {instancePath:instancePath+"/retention/traces_days",schemaPath:"#/properties/retention/properties/traces_days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err274];
}
else {
vErrors.push(err274);
}
errors++;
}
}
let data115 = data111.logs_days;
if(!(((typeof data115 == "number") && (!(data115 % 1) && !isNaN(data115))) && (isFinite(data115)))){
const err275 = {instancePath:instancePath+"/retention/logs_days",schemaPath:"#/properties/retention/properties/logs_days/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err275];
}
else {
vErrors.push(err275);
}
errors++;
}
if((typeof data115 == "number") && (isFinite(data115))){
if(data115 > 36500 || isNaN(data115)){
const err276 = {instancePath:instancePath+"/retention/logs_days",schemaPath:"#/properties/retention/properties/logs_days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}};
if(vErrors === null){
vErrors = [err276];
}
else {
vErrors.push(err276);
}
errors++;
}
if(data115 < 0 || isNaN(data115)){
const err277 = {instancePath:instancePath+"/retention/logs_days",schemaPath:"#/properties/retention/properties/logs_days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err277];
}
else {
vErrors.push(err277);
}
errors++;
}
}
let data116 = data111.approvals_days;
if(!(((typeof data116 == "number") && (!(data116 % 1) && !isNaN(data116))) && (isFinite(data116)))){
const err278 = {instancePath:instancePath+"/retention/approvals_days",schemaPath:"#/properties/retention/properties/approvals_days/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err278];
}
else {
vErrors.push(err278);
}
errors++;
}
if((typeof data116 == "number") && (isFinite(data116))){
if(data116 > 36500 || isNaN(data116)){
const err279 = {instancePath:instancePath+"/retention/approvals_days",schemaPath:"#/properties/retention/properties/approvals_days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}};
if(vErrors === null){
vErrors = [err279];
}
else {
vErrors.push(err279);
}
errors++;
}
if(data116 < 0 || isNaN(data116)){
const err280 = {instancePath:instancePath+"/retention/approvals_days",schemaPath:"#/properties/retention/properties/approvals_days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err280];
}
else {
vErrors.push(err280);
}
errors++;
}
}
let data117 = data111.max_mb;
if(!(((typeof data117 == "number") && (!(data117 % 1) && !isNaN(data117))) && (isFinite(data117)))){
const err281 = {instancePath:instancePath+"/retention/max_mb",schemaPath:"#/properties/retention/properties/max_mb/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err281];
}
else {
vErrors.push(err281);
}
errors++;
}
if((typeof data117 == "number") && (isFinite(data117))){
if(data117 > 10000000 || isNaN(data117)){
const err282 = {instancePath:instancePath+"/retention/max_mb",schemaPath:"#/properties/retention/properties/max_mb/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}};
if(vErrors === null){
vErrors = [err282];
}
else {
vErrors.push(err282);
}
errors++;
}
if(data117 < 0 || isNaN(data117)){
const err283 = {instancePath:instancePath+"/retention/max_mb",schemaPath:"#/properties/retention/properties/max_mb/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err283];
}
else {
vErrors.push(err283);
}
errors++;
}
}
}
else {
const err284 = {instancePath:instancePath+"/retention",schemaPath:"#/properties/retention/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err284];
}
else {
vErrors.push(err284);
}
errors++;
}
let data118 = data.workspaces;
if(Array.isArray(data118)){
if(data118.length > 1000){
const err285 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err285];
}
else {
vErrors.push(err285);
}
errors++;
}
const len8 = data118.length;
for(let i8=0; i8<len8; i8++){
let data119 = data118[i8];
if(data119 && typeof data119 == "object" && !Array.isArray(data119)){
if(data119.check === undefined){
data119.check = [];
}
if(data119.check_timeout_s === undefined){
data119.check_timeout_s = 120;
}
if(data119.check_network === undefined){
data119.check_network = false;
}
if(data119.max_actions === undefined){
data119.max_actions = 0;
}
if(data119.check_when === undefined){
data119.check_when = "before";
}
if(data119.keep === undefined){
data119.keep = [];
}
if(data119.generate === undefined){
data119.generate = [];
}
if(data119.generate_hosts === undefined){
data119.generate_hosts = [];
}
if(data119.on_failing_baseline === undefined){
data119.on_failing_baseline = "ask";
}
if(data119.name === undefined){
const err286 = {instancePath:instancePath+"/workspaces/" + i8,schemaPath:"#/properties/workspaces/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err286];
}
else {
vErrors.push(err286);
}
errors++;
}
if(data119.path === undefined){
const err287 = {instancePath:instancePath+"/workspaces/" + i8,schemaPath:"#/properties/workspaces/items/required",keyword:"required",params:{missingProperty: "path"}};
if(vErrors === null){
vErrors = [err287];
}
else {
vErrors.push(err287);
}
errors++;
}
for(const key26 in data119){
if(!(func2.call(schema11.properties.workspaces.items.properties, key26))){
const err288 = {instancePath:instancePath+"/workspaces/" + i8,schemaPath:"#/properties/workspaces/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key26}};
if(vErrors === null){
vErrors = [err288];
}
else {
vErrors.push(err288);
}
errors++;
}
}
if(data119.name !== undefined){
let data120 = data119.name;
if(typeof data120 === "string"){
if(!pattern0.test(data120)){
const err289 = {instancePath:instancePath+"/workspaces/" + i8+"/name",schemaPath:"#/properties/workspaces/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$"}};
if(vErrors === null){
vErrors = [err289];
}
else {
vErrors.push(err289);
}
errors++;
}
}
else {
const err290 = {instancePath:instancePath+"/workspaces/" + i8+"/name",schemaPath:"#/properties/workspaces/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err290];
}
else {
vErrors.push(err290);
}
errors++;
}
}
if(data119.path !== undefined){
let data121 = data119.path;
if(typeof data121 === "string"){
if(func3(data121) > 4096){
const err291 = {instancePath:instancePath+"/workspaces/" + i8+"/path",schemaPath:"#/properties/workspaces/items/properties/path/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err291];
}
else {
vErrors.push(err291);
}
errors++;
}
if(func3(data121) < 1){
const err292 = {instancePath:instancePath+"/workspaces/" + i8+"/path",schemaPath:"#/properties/workspaces/items/properties/path/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err292];
}
else {
vErrors.push(err292);
}
errors++;
}
}
else {
const err293 = {instancePath:instancePath+"/workspaces/" + i8+"/path",schemaPath:"#/properties/workspaces/items/properties/path/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err293];
}
else {
vErrors.push(err293);
}
errors++;
}
}
let data122 = data119.check;
const _errs277 = errors;
let valid46 = false;
const _errs278 = errors;
if(Array.isArray(data122)){
if(data122.length > 20){
const err294 = {instancePath:instancePath+"/workspaces/" + i8+"/check",schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 20}};
if(vErrors === null){
vErrors = [err294];
}
else {
vErrors.push(err294);
}
errors++;
}
const len9 = data122.length;
for(let i9=0; i9<len9; i9++){
let data123 = data122[i9];
if(Array.isArray(data123)){
if(data123.length > 100){
const err295 = {instancePath:instancePath+"/workspaces/" + i8+"/check/" + i9,schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/items/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err295];
}
else {
vErrors.push(err295);
}
errors++;
}
if(data123.length < 1){
const err296 = {instancePath:instancePath+"/workspaces/" + i8+"/check/" + i9,schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/items/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err296];
}
else {
vErrors.push(err296);
}
errors++;
}
const len10 = data123.length;
for(let i10=0; i10<len10; i10++){
let data124 = data123[i10];
if(typeof data124 === "string"){
if(func3(data124) > 4096){
const err297 = {instancePath:instancePath+"/workspaces/" + i8+"/check/" + i9+"/" + i10,schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/items/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err297];
}
else {
vErrors.push(err297);
}
errors++;
}
if(func3(data124) < 1){
const err298 = {instancePath:instancePath+"/workspaces/" + i8+"/check/" + i9+"/" + i10,schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/items/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err298];
}
else {
vErrors.push(err298);
}
errors++;
}
}
else {
const err299 = {instancePath:instancePath+"/workspaces/" + i8+"/check/" + i9+"/" + i10,schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/items/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err299];
}
else {
vErrors.push(err299);
}
errors++;
}
}
}
else {
const err300 = {instancePath:instancePath+"/workspaces/" + i8+"/check/" + i9,schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/items/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err300];
}
else {
vErrors.push(err300);
}
errors++;
}
}
}
else {
const err301 = {instancePath:instancePath+"/workspaces/" + i8+"/check",schemaPath:"#/properties/workspaces/items/properties/check/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err301];
}
else {
vErrors.push(err301);
}
errors++;
}
var _valid1 = _errs278 === errors;
valid46 = valid46 || _valid1;
if(!valid46){
const _errs284 = errors;
if(typeof data122 !== "boolean"){
const err302 = {instancePath:instancePath+"/workspaces/" + i8+"/check",schemaPath:"#/properties/workspaces/items/properties/check/anyOf/1/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err302];
}
else {
vErrors.push(err302);
}
errors++;
}
if(false !== data122){
const err303 = {instancePath:instancePath+"/workspaces/" + i8+"/check",schemaPath:"#/properties/workspaces/items/properties/check/anyOf/1/const",keyword:"const",params:{allowedValue: false}};
if(vErrors === null){
vErrors = [err303];
}
else {
vErrors.push(err303);
}
errors++;
}
var _valid1 = _errs284 === errors;
valid46 = valid46 || _valid1;
}
if(!valid46){
const err304 = {instancePath:instancePath+"/workspaces/" + i8+"/check",schemaPath:"#/properties/workspaces/items/properties/check/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err304];
}
else {
vErrors.push(err304);
}
errors++;
}
else {
errors = _errs277;
if(vErrors !== null){
if(_errs277){
vErrors.length = _errs277;
}
else {
vErrors = null;
}
}
}
let data125 = data119.check_timeout_s;
if(!(((typeof data125 == "number") && (!(data125 % 1) && !isNaN(data125))) && (isFinite(data125)))){
const err305 = {instancePath:instancePath+"/workspaces/" + i8+"/check_timeout_s",schemaPath:"#/properties/workspaces/items/properties/check_timeout_s/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err305];
}
else {
vErrors.push(err305);
}
errors++;
}
if((typeof data125 == "number") && (isFinite(data125))){
if(data125 > 3600 || isNaN(data125)){
const err306 = {instancePath:instancePath+"/workspaces/" + i8+"/check_timeout_s",schemaPath:"#/properties/workspaces/items/properties/check_timeout_s/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600}};
if(vErrors === null){
vErrors = [err306];
}
else {
vErrors.push(err306);
}
errors++;
}
if(data125 < 1 || isNaN(data125)){
const err307 = {instancePath:instancePath+"/workspaces/" + i8+"/check_timeout_s",schemaPath:"#/properties/workspaces/items/properties/check_timeout_s/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err307];
}
else {
vErrors.push(err307);
}
errors++;
}
}
if(typeof data119.check_network !== "boolean"){
const err308 = {instancePath:instancePath+"/workspaces/" + i8+"/check_network",schemaPath:"#/properties/workspaces/items/properties/check_network/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err308];
}
else {
vErrors.push(err308);
}
errors++;
}
let data127 = data119.max_actions;
if(!(((typeof data127 == "number") && (!(data127 % 1) && !isNaN(data127))) && (isFinite(data127)))){
const err309 = {instancePath:instancePath+"/workspaces/" + i8+"/max_actions",schemaPath:"#/properties/workspaces/items/properties/max_actions/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err309];
}
else {
vErrors.push(err309);
}
errors++;
}
if((typeof data127 == "number") && (isFinite(data127))){
if(data127 > 200 || isNaN(data127)){
const err310 = {instancePath:instancePath+"/workspaces/" + i8+"/max_actions",schemaPath:"#/properties/workspaces/items/properties/max_actions/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200}};
if(vErrors === null){
vErrors = [err310];
}
else {
vErrors.push(err310);
}
errors++;
}
if(data127 < 0 || isNaN(data127)){
const err311 = {instancePath:instancePath+"/workspaces/" + i8+"/max_actions",schemaPath:"#/properties/workspaces/items/properties/max_actions/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err311];
}
else {
vErrors.push(err311);
}
errors++;
}
}
let data128 = data119.check_when;
if(typeof data128 !== "string"){
const err312 = {instancePath:instancePath+"/workspaces/" + i8+"/check_when",schemaPath:"#/properties/workspaces/items/properties/check_when/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err312];
}
else {
vErrors.push(err312);
}
errors++;
}
if(!((data128 === "before") || (data128 === "after"))){
const err313 = {instancePath:instancePath+"/workspaces/" + i8+"/check_when",schemaPath:"#/properties/workspaces/items/properties/check_when/enum",keyword:"enum",params:{allowedValues: schema11.properties.workspaces.items.properties.check_when.enum}};
if(vErrors === null){
vErrors = [err313];
}
else {
vErrors.push(err313);
}
errors++;
}
let data129 = data119.keep;
if(Array.isArray(data129)){
if(data129.length > 100){
const err314 = {instancePath:instancePath+"/workspaces/" + i8+"/keep",schemaPath:"#/properties/workspaces/items/properties/keep/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err314];
}
else {
vErrors.push(err314);
}
errors++;
}
const len11 = data129.length;
for(let i11=0; i11<len11; i11++){
let data130 = data129[i11];
if(typeof data130 === "string"){
if(func3(data130) > 4096){
const err315 = {instancePath:instancePath+"/workspaces/" + i8+"/keep/" + i11,schemaPath:"#/properties/workspaces/items/properties/keep/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err315];
}
else {
vErrors.push(err315);
}
errors++;
}
if(func3(data130) < 1){
const err316 = {instancePath:instancePath+"/workspaces/" + i8+"/keep/" + i11,schemaPath:"#/properties/workspaces/items/properties/keep/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err316];
}
else {
vErrors.push(err316);
}
errors++;
}
}
else {
const err317 = {instancePath:instancePath+"/workspaces/" + i8+"/keep/" + i11,schemaPath:"#/properties/workspaces/items/properties/keep/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err317];
}
else {
vErrors.push(err317);
}
errors++;
}
}
}
else {
const err318 = {instancePath:instancePath+"/workspaces/" + i8+"/keep",schemaPath:"#/properties/workspaces/items/properties/keep/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err318];
}
else {
vErrors.push(err318);
}
errors++;
}
let data131 = data119.generate;
const _errs299 = errors;
let valid53 = false;
const _errs300 = errors;
if(Array.isArray(data131)){
if(data131.length > 20){
const err319 = {instancePath:instancePath+"/workspaces/" + i8+"/generate",schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 20}};
if(vErrors === null){
vErrors = [err319];
}
else {
vErrors.push(err319);
}
errors++;
}
const len12 = data131.length;
for(let i12=0; i12<len12; i12++){
let data132 = data131[i12];
if(Array.isArray(data132)){
if(data132.length > 100){
const err320 = {instancePath:instancePath+"/workspaces/" + i8+"/generate/" + i12,schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/items/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err320];
}
else {
vErrors.push(err320);
}
errors++;
}
if(data132.length < 1){
const err321 = {instancePath:instancePath+"/workspaces/" + i8+"/generate/" + i12,schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/items/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err321];
}
else {
vErrors.push(err321);
}
errors++;
}
const len13 = data132.length;
for(let i13=0; i13<len13; i13++){
let data133 = data132[i13];
if(typeof data133 === "string"){
if(func3(data133) > 4096){
const err322 = {instancePath:instancePath+"/workspaces/" + i8+"/generate/" + i12+"/" + i13,schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/items/items/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err322];
}
else {
vErrors.push(err322);
}
errors++;
}
if(func3(data133) < 1){
const err323 = {instancePath:instancePath+"/workspaces/" + i8+"/generate/" + i12+"/" + i13,schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/items/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err323];
}
else {
vErrors.push(err323);
}
errors++;
}
}
else {
const err324 = {instancePath:instancePath+"/workspaces/" + i8+"/generate/" + i12+"/" + i13,schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/items/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err324];
}
else {
vErrors.push(err324);
}
errors++;
}
}
}
else {
const err325 = {instancePath:instancePath+"/workspaces/" + i8+"/generate/" + i12,schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/items/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err325];
}
else {
vErrors.push(err325);
}
errors++;
}
}
}
else {
const err326 = {instancePath:instancePath+"/workspaces/" + i8+"/generate",schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err326];
}
else {
vErrors.push(err326);
}
errors++;
}
var _valid2 = _errs300 === errors;
valid53 = valid53 || _valid2;
if(!valid53){
const _errs306 = errors;
if(typeof data131 !== "boolean"){
const err327 = {instancePath:instancePath+"/workspaces/" + i8+"/generate",schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/1/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err327];
}
else {
vErrors.push(err327);
}
errors++;
}
if(false !== data131){
const err328 = {instancePath:instancePath+"/workspaces/" + i8+"/generate",schemaPath:"#/properties/workspaces/items/properties/generate/anyOf/1/const",keyword:"const",params:{allowedValue: false}};
if(vErrors === null){
vErrors = [err328];
}
else {
vErrors.push(err328);
}
errors++;
}
var _valid2 = _errs306 === errors;
valid53 = valid53 || _valid2;
}
if(!valid53){
const err329 = {instancePath:instancePath+"/workspaces/" + i8+"/generate",schemaPath:"#/properties/workspaces/items/properties/generate/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err329];
}
else {
vErrors.push(err329);
}
errors++;
}
else {
errors = _errs299;
if(vErrors !== null){
if(_errs299){
vErrors.length = _errs299;
}
else {
vErrors = null;
}
}
}
let data134 = data119.generate_hosts;
if(Array.isArray(data134)){
if(data134.length > 50){
const err330 = {instancePath:instancePath+"/workspaces/" + i8+"/generate_hosts",schemaPath:"#/properties/workspaces/items/properties/generate_hosts/maxItems",keyword:"maxItems",params:{limit: 50}};
if(vErrors === null){
vErrors = [err330];
}
else {
vErrors.push(err330);
}
errors++;
}
const len14 = data134.length;
for(let i14=0; i14<len14; i14++){
let data135 = data134[i14];
if(typeof data135 === "string"){
if(func3(data135) > 253){
const err331 = {instancePath:instancePath+"/workspaces/" + i8+"/generate_hosts/" + i14,schemaPath:"#/properties/workspaces/items/properties/generate_hosts/items/maxLength",keyword:"maxLength",params:{limit: 253}};
if(vErrors === null){
vErrors = [err331];
}
else {
vErrors.push(err331);
}
errors++;
}
if(!pattern15.test(data135)){
const err332 = {instancePath:instancePath+"/workspaces/" + i8+"/generate_hosts/" + i14,schemaPath:"#/properties/workspaces/items/properties/generate_hosts/items/pattern",keyword:"pattern",params:{pattern: "^\\.?([A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*$"}};
if(vErrors === null){
vErrors = [err332];
}
else {
vErrors.push(err332);
}
errors++;
}
}
else {
const err333 = {instancePath:instancePath+"/workspaces/" + i8+"/generate_hosts/" + i14,schemaPath:"#/properties/workspaces/items/properties/generate_hosts/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err333];
}
else {
vErrors.push(err333);
}
errors++;
}
}
}
else {
const err334 = {instancePath:instancePath+"/workspaces/" + i8+"/generate_hosts",schemaPath:"#/properties/workspaces/items/properties/generate_hosts/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err334];
}
else {
vErrors.push(err334);
}
errors++;
}
let data136 = data119.on_failing_baseline;
if(typeof data136 !== "string"){
const err335 = {instancePath:instancePath+"/workspaces/" + i8+"/on_failing_baseline",schemaPath:"#/properties/workspaces/items/properties/on_failing_baseline/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err335];
}
else {
vErrors.push(err335);
}
errors++;
}
if(!(((data136 === "ask") || (data136 === "apply")) || (data136 === "refuse"))){
const err336 = {instancePath:instancePath+"/workspaces/" + i8+"/on_failing_baseline",schemaPath:"#/properties/workspaces/items/properties/on_failing_baseline/enum",keyword:"enum",params:{allowedValues: schema11.properties.workspaces.items.properties.on_failing_baseline.enum}};
if(vErrors === null){
vErrors = [err336];
}
else {
vErrors.push(err336);
}
errors++;
}
}
else {
const err337 = {instancePath:instancePath+"/workspaces/" + i8,schemaPath:"#/properties/workspaces/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err337];
}
else {
vErrors.push(err337);
}
errors++;
}
}
}
else {
const err338 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err338];
}
else {
vErrors.push(err338);
}
errors++;
}
let data137 = data.routines;
if(data137 && typeof data137 == "object" && !Array.isArray(data137)){
if(data137.jobs === undefined){
data137.jobs = [];
}
for(const key27 in data137){
if(!(key27 === "jobs")){
const err339 = {instancePath:instancePath+"/routines",schemaPath:"#/properties/routines/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key27}};
if(vErrors === null){
vErrors = [err339];
}
else {
vErrors.push(err339);
}
errors++;
}
}
let data138 = data137.jobs;
if(Array.isArray(data138)){
if(data138.length > 1000){
const err340 = {instancePath:instancePath+"/routines/jobs",schemaPath:"#/properties/routines/properties/jobs/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err340];
}
else {
vErrors.push(err340);
}
errors++;
}
const len15 = data138.length;
for(let i15=0; i15<len15; i15++){
let data139 = data138[i15];
if(data139 && typeof data139 == "object" && !Array.isArray(data139)){
if(data139.timezone === undefined){
data139.timezone = "";
}
if(data139.workspace === undefined){
data139.workspace = "";
}
if(data139.mode === undefined){
data139.mode = "plan";
}
if(data139.channel === undefined){
data139.channel = "telegram";
}
if(data139.misfire === undefined){
data139.misfire = "once";
}
if(data139.only_if_changed === undefined){
data139.only_if_changed = true;
}
if(data139.enabled === undefined){
data139.enabled = true;
}
if(data139.max_runs_per_day === undefined){
data139.max_runs_per_day = 0;
}
if(data139.max_tokens_per_day === undefined){
data139.max_tokens_per_day = 0;
}
if(data139.max_cost_per_day === undefined){
data139.max_cost_per_day = 0;
}
if(data139.watch === undefined){
data139.watch = "";
}
if(data139.trigger_secret === undefined){
data139.trigger_secret = "";
}
if(data139.name === undefined){
const err341 = {instancePath:instancePath+"/routines/jobs/" + i15,schemaPath:"#/properties/routines/properties/jobs/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err341];
}
else {
vErrors.push(err341);
}
errors++;
}
if(data139.schedule === undefined){
const err342 = {instancePath:instancePath+"/routines/jobs/" + i15,schemaPath:"#/properties/routines/properties/jobs/items/required",keyword:"required",params:{missingProperty: "schedule"}};
if(vErrors === null){
vErrors = [err342];
}
else {
vErrors.push(err342);
}
errors++;
}
if(data139.task === undefined){
const err343 = {instancePath:instancePath+"/routines/jobs/" + i15,schemaPath:"#/properties/routines/properties/jobs/items/required",keyword:"required",params:{missingProperty: "task"}};
if(vErrors === null){
vErrors = [err343];
}
else {
vErrors.push(err343);
}
errors++;
}
for(const key28 in data139){
if(!(func2.call(schema11.properties.routines.properties.jobs.items.properties, key28))){
const err344 = {instancePath:instancePath+"/routines/jobs/" + i15,schemaPath:"#/properties/routines/properties/jobs/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key28}};
if(vErrors === null){
vErrors = [err344];
}
else {
vErrors.push(err344);
}
errors++;
}
}
if(data139.name !== undefined){
let data140 = data139.name;
if(typeof data140 === "string"){
if(!pattern0.test(data140)){
const err345 = {instancePath:instancePath+"/routines/jobs/" + i15+"/name",schemaPath:"#/properties/routines/properties/jobs/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$"}};
if(vErrors === null){
vErrors = [err345];
}
else {
vErrors.push(err345);
}
errors++;
}
}
else {
const err346 = {instancePath:instancePath+"/routines/jobs/" + i15+"/name",schemaPath:"#/properties/routines/properties/jobs/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err346];
}
else {
vErrors.push(err346);
}
errors++;
}
}
if(data139.schedule !== undefined){
let data141 = data139.schedule;
if(typeof data141 === "string"){
if(func3(data141) > 200){
const err347 = {instancePath:instancePath+"/routines/jobs/" + i15+"/schedule",schemaPath:"#/properties/routines/properties/jobs/items/properties/schedule/maxLength",keyword:"maxLength",params:{limit: 200}};
if(vErrors === null){
vErrors = [err347];
}
else {
vErrors.push(err347);
}
errors++;
}
if(func3(data141) < 1){
const err348 = {instancePath:instancePath+"/routines/jobs/" + i15+"/schedule",schemaPath:"#/properties/routines/properties/jobs/items/properties/schedule/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err348];
}
else {
vErrors.push(err348);
}
errors++;
}
}
else {
const err349 = {instancePath:instancePath+"/routines/jobs/" + i15+"/schedule",schemaPath:"#/properties/routines/properties/jobs/items/properties/schedule/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err349];
}
else {
vErrors.push(err349);
}
errors++;
}
}
let data142 = data139.timezone;
if(typeof data142 === "string"){
if(func3(data142) > 4096){
const err350 = {instancePath:instancePath+"/routines/jobs/" + i15+"/timezone",schemaPath:"#/properties/routines/properties/jobs/items/properties/timezone/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err350];
}
else {
vErrors.push(err350);
}
errors++;
}
}
else {
const err351 = {instancePath:instancePath+"/routines/jobs/" + i15+"/timezone",schemaPath:"#/properties/routines/properties/jobs/items/properties/timezone/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err351];
}
else {
vErrors.push(err351);
}
errors++;
}
let data143 = data139.workspace;
if(typeof data143 === "string"){
if(func3(data143) > 4096){
const err352 = {instancePath:instancePath+"/routines/jobs/" + i15+"/workspace",schemaPath:"#/properties/routines/properties/jobs/items/properties/workspace/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err352];
}
else {
vErrors.push(err352);
}
errors++;
}
}
else {
const err353 = {instancePath:instancePath+"/routines/jobs/" + i15+"/workspace",schemaPath:"#/properties/routines/properties/jobs/items/properties/workspace/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err353];
}
else {
vErrors.push(err353);
}
errors++;
}
let data144 = data139.mode;
if(typeof data144 !== "string"){
const err354 = {instancePath:instancePath+"/routines/jobs/" + i15+"/mode",schemaPath:"#/properties/routines/properties/jobs/items/properties/mode/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err354];
}
else {
vErrors.push(err354);
}
errors++;
}
if(!(((data144 === "ask") || (data144 === "plan")) || (data144 === "apply"))){
const err355 = {instancePath:instancePath+"/routines/jobs/" + i15+"/mode",schemaPath:"#/properties/routines/properties/jobs/items/properties/mode/enum",keyword:"enum",params:{allowedValues: schema11.properties.routines.properties.jobs.items.properties.mode.enum}};
if(vErrors === null){
vErrors = [err355];
}
else {
vErrors.push(err355);
}
errors++;
}
if(data139.task !== undefined){
let data145 = data139.task;
if(typeof data145 === "string"){
if(func3(data145) > 20000){
const err356 = {instancePath:instancePath+"/routines/jobs/" + i15+"/task",schemaPath:"#/properties/routines/properties/jobs/items/properties/task/maxLength",keyword:"maxLength",params:{limit: 20000}};
if(vErrors === null){
vErrors = [err356];
}
else {
vErrors.push(err356);
}
errors++;
}
if(func3(data145) < 1){
const err357 = {instancePath:instancePath+"/routines/jobs/" + i15+"/task",schemaPath:"#/properties/routines/properties/jobs/items/properties/task/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err357];
}
else {
vErrors.push(err357);
}
errors++;
}
}
else {
const err358 = {instancePath:instancePath+"/routines/jobs/" + i15+"/task",schemaPath:"#/properties/routines/properties/jobs/items/properties/task/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err358];
}
else {
vErrors.push(err358);
}
errors++;
}
}
let data146 = data139.channel;
if(typeof data146 !== "string"){
const err359 = {instancePath:instancePath+"/routines/jobs/" + i15+"/channel",schemaPath:"#/properties/routines/properties/jobs/items/properties/channel/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err359];
}
else {
vErrors.push(err359);
}
errors++;
}
if(!(((data146 === "telegram") || (data146 === "terminal")) || (data146 === "none"))){
const err360 = {instancePath:instancePath+"/routines/jobs/" + i15+"/channel",schemaPath:"#/properties/routines/properties/jobs/items/properties/channel/enum",keyword:"enum",params:{allowedValues: schema11.properties.routines.properties.jobs.items.properties.channel.enum}};
if(vErrors === null){
vErrors = [err360];
}
else {
vErrors.push(err360);
}
errors++;
}
let data147 = data139.misfire;
if(typeof data147 !== "string"){
const err361 = {instancePath:instancePath+"/routines/jobs/" + i15+"/misfire",schemaPath:"#/properties/routines/properties/jobs/items/properties/misfire/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err361];
}
else {
vErrors.push(err361);
}
errors++;
}
if(!(((data147 === "skip") || (data147 === "once")) || (data147 === "all"))){
const err362 = {instancePath:instancePath+"/routines/jobs/" + i15+"/misfire",schemaPath:"#/properties/routines/properties/jobs/items/properties/misfire/enum",keyword:"enum",params:{allowedValues: schema11.properties.routines.properties.jobs.items.properties.misfire.enum}};
if(vErrors === null){
vErrors = [err362];
}
else {
vErrors.push(err362);
}
errors++;
}
let data148 = data139.only_if_changed;
const _errs339 = errors;
let valid64 = false;
const _errs340 = errors;
if(typeof data148 !== "boolean"){
const err363 = {instancePath:instancePath+"/routines/jobs/" + i15+"/only_if_changed",schemaPath:"#/properties/routines/properties/jobs/items/properties/only_if_changed/anyOf/0/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err363];
}
else {
vErrors.push(err363);
}
errors++;
}
var _valid3 = _errs340 === errors;
valid64 = valid64 || _valid3;
if(!valid64){
const _errs342 = errors;
if(typeof data148 === "string"){
if(!pattern17.test(data148)){
const err364 = {instancePath:instancePath+"/routines/jobs/" + i15+"/only_if_changed",schemaPath:"#/properties/routines/properties/jobs/items/properties/only_if_changed/anyOf/1/pattern",keyword:"pattern",params:{pattern: "^(glob:.|url:https?://).{0,2000}$"}};
if(vErrors === null){
vErrors = [err364];
}
else {
vErrors.push(err364);
}
errors++;
}
}
else {
const err365 = {instancePath:instancePath+"/routines/jobs/" + i15+"/only_if_changed",schemaPath:"#/properties/routines/properties/jobs/items/properties/only_if_changed/anyOf/1/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err365];
}
else {
vErrors.push(err365);
}
errors++;
}
var _valid3 = _errs342 === errors;
valid64 = valid64 || _valid3;
}
if(!valid64){
const err366 = {instancePath:instancePath+"/routines/jobs/" + i15+"/only_if_changed",schemaPath:"#/properties/routines/properties/jobs/items/properties/only_if_changed/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err366];
}
else {
vErrors.push(err366);
}
errors++;
}
else {
errors = _errs339;
if(vErrors !== null){
if(_errs339){
vErrors.length = _errs339;
}
else {
vErrors = null;
}
}
}
if(typeof data139.enabled !== "boolean"){
const err367 = {instancePath:instancePath+"/routines/jobs/" + i15+"/enabled",schemaPath:"#/properties/routines/properties/jobs/items/properties/enabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err367];
}
else {
vErrors.push(err367);
}
errors++;
}
let data150 = data139.max_runs_per_day;
if(!(((typeof data150 == "number") && (!(data150 % 1) && !isNaN(data150))) && (isFinite(data150)))){
const err368 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_runs_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_runs_per_day/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err368];
}
else {
vErrors.push(err368);
}
errors++;
}
if((typeof data150 == "number") && (isFinite(data150))){
if(data150 > 1440 || isNaN(data150)){
const err369 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_runs_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_runs_per_day/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1440}};
if(vErrors === null){
vErrors = [err369];
}
else {
vErrors.push(err369);
}
errors++;
}
if(data150 < 0 || isNaN(data150)){
const err370 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_runs_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_runs_per_day/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err370];
}
else {
vErrors.push(err370);
}
errors++;
}
}
let data151 = data139.max_tokens_per_day;
if(!(((typeof data151 == "number") && (!(data151 % 1) && !isNaN(data151))) && (isFinite(data151)))){
const err371 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_tokens_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_tokens_per_day/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err371];
}
else {
vErrors.push(err371);
}
errors++;
}
if((typeof data151 == "number") && (isFinite(data151))){
if(data151 > 1000000000 || isNaN(data151)){
const err372 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_tokens_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_tokens_per_day/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}};
if(vErrors === null){
vErrors = [err372];
}
else {
vErrors.push(err372);
}
errors++;
}
if(data151 < 0 || isNaN(data151)){
const err373 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_tokens_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_tokens_per_day/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err373];
}
else {
vErrors.push(err373);
}
errors++;
}
}
let data152 = data139.max_cost_per_day;
if((typeof data152 == "number") && (isFinite(data152))){
if(data152 > 1000000 || isNaN(data152)){
const err374 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_cost_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_cost_per_day/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}};
if(vErrors === null){
vErrors = [err374];
}
else {
vErrors.push(err374);
}
errors++;
}
if(data152 < 0 || isNaN(data152)){
const err375 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_cost_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_cost_per_day/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err375];
}
else {
vErrors.push(err375);
}
errors++;
}
}
else {
const err376 = {instancePath:instancePath+"/routines/jobs/" + i15+"/max_cost_per_day",schemaPath:"#/properties/routines/properties/jobs/items/properties/max_cost_per_day/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err376];
}
else {
vErrors.push(err376);
}
errors++;
}
let data153 = data139.watch;
if(typeof data153 === "string"){
if(func3(data153) > 4096){
const err377 = {instancePath:instancePath+"/routines/jobs/" + i15+"/watch",schemaPath:"#/properties/routines/properties/jobs/items/properties/watch/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err377];
}
else {
vErrors.push(err377);
}
errors++;
}
}
else {
const err378 = {instancePath:instancePath+"/routines/jobs/" + i15+"/watch",schemaPath:"#/properties/routines/properties/jobs/items/properties/watch/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err378];
}
else {
vErrors.push(err378);
}
errors++;
}
let data154 = data139.trigger_secret;
if(typeof data154 === "string"){
if(func3(data154) > 4096){
const err379 = {instancePath:instancePath+"/routines/jobs/" + i15+"/trigger_secret",schemaPath:"#/properties/routines/properties/jobs/items/properties/trigger_secret/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err379];
}
else {
vErrors.push(err379);
}
errors++;
}
}
else {
const err380 = {instancePath:instancePath+"/routines/jobs/" + i15+"/trigger_secret",schemaPath:"#/properties/routines/properties/jobs/items/properties/trigger_secret/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err380];
}
else {
vErrors.push(err380);
}
errors++;
}
}
else {
const err381 = {instancePath:instancePath+"/routines/jobs/" + i15,schemaPath:"#/properties/routines/properties/jobs/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err381];
}
else {
vErrors.push(err381);
}
errors++;
}
}
}
else {
const err382 = {instancePath:instancePath+"/routines/jobs",schemaPath:"#/properties/routines/properties/jobs/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err382];
}
else {
vErrors.push(err382);
}
errors++;
}
}
else {
const err383 = {instancePath:instancePath+"/routines",schemaPath:"#/properties/routines/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err383];
}
else {
vErrors.push(err383);
}
errors++;
}
}
else {
const err384 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err384];
}
else {
vErrors.push(err384);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}
