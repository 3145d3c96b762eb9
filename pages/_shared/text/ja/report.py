"""日本語: 持ち出す報告書の言葉。"""

from pages._shared.text.ja.report_check import REPORT_CHECK

REPORT: dict[str, str] = {
    "title_audit": "攻撃は約束を破れるか（テストの報告書）",
    "title_compare": "どの攻撃が約束に最も近づくか（比較の報告書）",
    "title_utility": "εの代償は何か（学習の報告書）",
    "title_path": "学習で更新はどう動くか（学習の報告書）",
    "about_audit": "連合学習では、あなたの端末が、共有モデルの学習を助けるために更新（勾配）を送ります。送る前に、"
    "更新をランダムに変えます。ε（イプシロン）はプライバシーの設定値で、2つの更新のどちらを送ったかを、"
    "だれかが言い当てられる回数に上限を設けます。このテストでは、1台の端末の中で攻撃者がその推測ゲームをし、"
    "推測を数えました。",
    "about_compare": "連合学習では、あなたの端末が、共有モデルの学習を助けるために更新（勾配）を送ります。"
    "送る前に、更新をランダムに変えます。ε（イプシロン）はプライバシーの設定値で、2つの更新のどちらを送ったかを、"
    "だれかが言い当てられる回数に上限を設けます。ここでは、1台の端末の中でいくつもの攻撃者がその推測ゲームをし、"
    "推測を数えました。",
    "about_utility": "更新をランダムに変えると、それぞれの端末が守られ、学習は遅くなります。ε（イプシロン）"
    "はプライバシーの設定値で、小さいほどプライバシー保護が強くなります。ここでは、同じ画像とステップ数で、"
    "プライバシーなしのモデルを1つ、εごとに1つずつのモデルを学習しました。",
    "about_path": "更新が見分けやすくなる条件は2つです。反対の方向を向いていることと、長いことです。"
    "ここではモデルを1周ずつ学習し、段階ごとに、同じ更新のペアで両方を測りました。",
    # 見出し
    "verdict": "結果",
    "opened": "保存したファイルから描き直したもので、ここで実行したものではありません。"
    "信用できるのは、そのファイルと同じ程度までです。",
    "run": "実行したこと",
    "numbers": "数値",
    "charts": "図",
    "images": "ペアの画像",
    "counts": "すべての数",
    "notes": "作れなかったペア",
    "skipped": "意味がないので除いたもの",
    "limits": "この結果では分からないこと",
    "assumed": "前提としたすべてのこと",
    "repeat": "くり返し方",
    "finding_path": "モデルが学習する間に（正しいラベルは100枚中{before}枚から{after}枚へ）、「{attack}」の更新は、"
    "角度{first_angle}°、長さ{first_norm}から、角度{last_angle}°、長さ{last_norm}へ変わりました。",
    # 実行したこと
    "run_audit": "推測{trials}回、{pairs}。攻撃: {attack}。{sees}攻撃者が、推測ルール「{rule}」を使いました。"
    "ε = {epsilon}。画像: {dataset}。",
    "run_compare": "{cells}で、それぞれ推測{trials}回を最大{measurements}。攻撃: {attacks}。ε: {epsilons}。画像: "
    "{datasets}。",
    "run_utility": "{rounds}で、それぞれ{clients}。ε: {epsilons}と、プライバシーなし。画像: {dataset}。",
    "run_path": "{levels}で、攻撃ごとに{pairs}。攻撃: {attacks}。画像: {dataset}。",
    "stopped": "途中で止めた実行です。数えた分は有効です。範囲は、いつ止めても成り立つ広めのものです。",
    "stopped_study": "途中で止めた実行です。ここにある分は有効です。",
    "and": "、",
    "pairs_one": "更新の1ペア",
    "pairs_many": "更新の{count}ペア",
    "cells_one": "1セル（攻撃、ルール、εなどの組）",
    "cells_many": "{count}セル（攻撃、ルール、εなどの組）",
    "rounds_one": "1ラウンド",
    "rounds_many": "{count}ラウンド",
    "clients_one": "1台のクライアント",
    "clients_many": "{count}台のクライアント",
    "levels_one": "学習の1段階",
    "levels_many": "学習の{count}段階",
    # 数値
    "right": "100回中の正解数",
    "allowed": "約束が許す上限",
    "coin": "コイン投げ",
    "law": "このペアについての計算式の予測",
    "law_chance": "数えた結果と計算式の予測は少し違います。これは偶然で説明できます。",
    "spoken_second": "更新Bに「B」と言った数（送信データ100個中）",
    "spoken_first": "更新Aに誤って「B」と言った数（送信データ100個中）",
    "claimed": "約束のε",
    "lower": "示せた漏れ（εは少なくとも）",
    "point": "論文と同じ推定値（大きめに出る、εは約）",
    "provable": "この回数の推測で示せる最大のε",
    "range": "約{point}（範囲は{lower}～{upper}）",
    "unknown": "不明",
    "below_all": "100よりわずかに下",
    "no_estimate": "なし",
    # 表
    "attack": "攻撃",
    "attacker": "攻撃者",
    "level_passes": "周",
    "level_right": "100枚中の正解",
    "round": "ラウンド後",
    "no_privacy": "プライバシーなし",
    "spent": "全ラウンドで使った分",
    "pair": "ペア",
    "angle": "角度",
    "first_norm": "Aの長さ",
    "second_norm": "Bの長さ",
    "first_as_first": "Aを送りAと推測",
    "first_as_second": "Aを送りBと推測",
    "second_as_first": "Bを送りAと推測",
    "second_as_second": "Bを送りBと推測",
    "all": "全体",
    "short_epsilon": "ε",
    "short_allowed": "約束の上限",
    "short_range": "{point}（{lower}～{upper}）",
    "short_white": "送信データ、{rule}",
    "short_black": "モデル、{rule}、{clients}",
    "skipped_item": "{rule}、{attack}、{clients}",
    "broken": "破られた",
    "table_compare": "1行が1セルです。100回中の正解数とその範囲（信頼度{confidence}%）、約束が許す上限、"
    "示せた漏れを並べます。「破られた」の行は、ほかのすべてのセルと合わせて数えても、"
    "εが許すより多い漏れを示しています。",
    "table_cut": "{total}セルのうち最初の{shown}セルです。JSONファイルにはすべて入っています。",
    "table_path": "攻撃ごとの、2つの更新の間の平均の角度（度）と、クリッピング後の平均の長さ。",
    # 図
    "chart_identification": "100回中の正解数",
    "note_identification": "大きな印: すべての推測と、数えた結果に合う範囲（太い線は50%、細い線は{confidence}%）"
    "。小さな印: 1ペアずつの結果。破線: 約束が許す上限。太い線があるとき: "
    "このペアについて計算式が予測する値。",
    "chart_epsilon": "測ったε",
    "note_epsilon": "塗った印: 漏れは少なくともこの大きさです。白抜きの印: 論文が載せている推定値。"
    "約束が破られたと言えるのは、塗った印が破線より上にあるときだけです。",
    "chart_shares": "ε = {epsilon}での100回中の正解数",
    "note_shares": "印: 数えた結果とその範囲。破線: 約束が許す上限。短い線: 計算式の予測。",
    "chart_attacks": "約束のε = {epsilon}で示せた漏れ",
    "note_attacks": "大きな印: 漏れは少なくともこの大きさです。点: 論文が載せている推定値で、大きめに出ます。",
    "chart_curves": "約束のεと示せたε",
    "note_curves": "攻撃ごとに1枚の図です。破線にちょうど乗る攻撃は、約束の分をすべて示しています。",
    "chart_map": "ε = {epsilon}でのすべてのペアの角度と長さ",
    "note_map": "線: 100回中の正解数。右上に行くほど、2つの更新は見分けやすくなります。",
    "note_map_path": "線: 100回中の正解数。右上に行くほど、2つの更新は見分けやすくなります。薄い印: "
    "もっと早い段階。攻撃ごとに最初の{most}ペアを描いています。",
    "chart_norms": "ε = {epsilon}での、反対向きの更新とその長さ",
    "note_norms": "短い更新では、ランダムな変化が大きくなるので、正解が減ります。",
    "chart_clients": "ε = {epsilon}で、ラウンドのクライアントを増やした場合",
    "note_clients": "共有モデルを見る攻撃者だけの図です。ほかのクライアントの送信データの中に、"
    "自分のものがまぎれます。",
    "chart_tradeoff-white": "ε = {epsilon}での2種類の間違い: 送信データを見る攻撃者",
    "chart_tradeoff-black": "ε = {epsilon}での2種類の間違い: モデルだけを見る攻撃者",
    "note_tradeoff": "AをBと間違えることと、BをAと間違えること。破線より下では、どちらの間違いも、"
    "εが許すより少なくなります。",
    "chart_published": "論文の数値との比較",
    "note_published": "ここでの正解数から論文の正解数を引いたもの。棒は、偶然だけでどれだけ動くかを示します。",
    "chart_datasets-white": "ε = {epsilon}で示せた漏れと画像: 送信データを見る攻撃者",
    "chart_datasets-black": "ε = {epsilon}で示せた漏れと画像: モデルだけを見る攻撃者",
    "note_datasets": "大きな印: 漏れは少なくともこの大きさです。破線: 約束のε。",
    "chart_utility": "各ラウンド後の正しいラベル（100枚中）",
    "note_utility": "学習は1回ずつなので、線どうしの小さな差は運かもしれません。",
    "charts_at": "1つずつの攻撃の図は、ε = {epsilon}で描いています。表にはすべてのεがあります。",
    # 分からないこと
    "limits_audit": "**分かるのは下限です。** どんなテストも、約束が守られていることは示せません。"
    "破られているのを見つけられるだけです。試していない攻撃なら、もっと当てるかもしれません。"
    "\n**1つのプログラムにあるものを調べました。** テストしたのはこのプログラムの中の仕組みで、"
    "別のアプリの中のものではありません。\n**送信データは1つ分です。** 送るたびにまた漏れが起こり、足し合わされます。"
    "\n**小さなモデルです。** 更新は、小さなネットワークと、ここに挙げた画像から作りました。"
    "ほかのものでは結果が違うかもしれません。\n**法律上の判断ではありません。"
    "** データからだれかが分かるかどうかは述べていません。",
    "limits_utility": "**学習は1回ずつです。** 別のシードなら、曲線は少し違います。\n**仮想のクライアントです。"
    "** それぞれ画像を1枚持ち、求められたラウンドには必ず応じます。現実のクライアントは違います。"
    "\n**小さなモデルです。** もっと大きなモデルでは、同じεでより多くのクライアントが必要です。"
    "\n**漏れは足し合わされます。** εは送信データ1つについてのものです。いくつものラウンドに参加すると、"
    "そのたびに使います。",
    "limits_path": "**攻撃は実行していません。** 角度と長さは、推測がどれくらい簡単かを示しますが、"
    "推測はしていません。\n**学習は1回です。** 別のシードや画像では、動き方が違います。\n**小さなモデルです。"
    "** 更新は、小さなネットワークと、ここに挙げた画像から作りました。",
    # 前提
    "a_epsilon": "ε（イプシロン）、プライバシーの設定値",
    "a_delta": "δ（デルタ）、約束が成り立たない割合",
    "delta_zero": "0: 約束に例外はありません",
    "a_prior": "どちらの更新を送るか",
    "prior_coin": "毎回、公平なコイン投げで決めた",
    "a_confidence": "範囲と下限の信頼度",
    "a_bound": "統計の下限",
    "bound_pooled": "2種類の間違いを合わせて数える",
    "bound_clopper_pearson": "間違いを種類ごとに数える（クロッパー・ピアソン）",
    "bound_own": "ルールごとに合うもの",
    "a_clip_norm": "クリッピング長L",
    "a_mechanism": "ランダム化の仕組み",
    "mechanism_ldp-sgd": "LDP-SGD（論文のもの）",
    "mechanism_priv-unit": "PrivUnit（Bhowmickほか）",
    "mechanism_duchi-l2": "Duchiほか（長さに上限）",
    "mechanism_duchi-linf": "Duchiほか（数値ごとに上限）",
    "mechanism_laplace": "ラプラスノイズ",
    "mechanism_gaussian": "ガウスノイズ",
    "mechanism_randomized-response": "ランダム化応答（更新の数値1つ）",
    "mechanism_overclaiming": "実演: わざと約束を破るもの",
    "a_attack": "攻撃",
    "a_strength": "攻撃の強さ",
    "a_rule": "推測ルール",
    "a_sees": "攻撃者に見えるもの",
    "sees_white": "送信データを見る",
    "sees_black": "共有モデルだけを見る",
    "rule_cosine": "毎回答える（コサイン）",
    "rule_selective": "ほぼ確信したときだけ答える（選択的）",
    "rule_loss-fall": "モデルはAが得意になったか（損失の減少）",
    "rule_loss-change": "どちらの損失が大きく変わったか（損失の変化）",
    "rule_sign-sum": "減った数値のほうが多いか（符号の和）",
    "rule_signed-loss": "どちらの損失が大きく減ったか（符号付き損失）",
    "rule_update-inversion": "送信データを逆算する（更新の逆算）",
    "rule_sum-inversion": "送信データの合計をおおよそ逆算する（合計の逆算）",
    "rule_paper": "論文が攻撃ごとに選んだもの",
    "a_dataset": "画像",
    "a_training": "共有モデルをどこまで学習したか",
    "training_none": "学習しない",
    "training_light": "軽く（画像100枚中85枚が正解）",
    "training_full": "十分に（20周）",
    "a_images": "使った画像",
    "images_used": "{dataset}：モデルの学習に{training}枚、ペア用に取り分けたもの{held_out}枚。{whose}",
    "images_whole": "{known}の全部（ダイジェスト{digest}で確認）",
    "images_subset": "{known}の一部（ダイジェスト{digest}で確認）",
    "images_other": "ダイジェストは{digest}",
    "images_doubtful": "この名前のデータセットの画像かどうかは確認できません（ダイジェスト{digest}）",
    "images_own": "あなた自身の画像なので、ダイジェストは書き残しません",
    "a_reached": "学習の到達点",
    "reached": "{dataset}：学習用の画像を{passes}周したあと、取り分けた画像100枚中{share}枚に正解",
    "a_clients": "ラウンドのクライアント数",
    "a_radius": "サーバのモデルの長さの上限",
    "radius_usual": "配ったモデルの長さの3倍",
    "a_sampling": "送信データの作り方",
    "sampling_full": "本物の送信データ",
    "sampling_projected": "このプログラムの仕組みの模擬計算で、送信データは作っていない",
    "a_watch": "実行中に結果を見たか",
    "yes": "はい。範囲はそれを見込んでいます",
    "no": "いいえ",
    "a_trials": "1ペアあたりの推測回数",
    "a_measurements": "ペアの数",
    "a_curves": "間違いの曲線を数えたか",
    "curves_yes": "はい",
    "a_rounds": "ラウンド数",
    "a_learning_rate": "サーバの最初の1ステップの大きさ（L倍）",
    "a_passes": "ペアを作った時点の周",
    "a_seed": "すべての乱数のシード",
    "a_completed": "最後まで実行したか",
    "completed_yes": "はい",
    "completed_no": "いいえ、途中で止めました",
    "a_device": "計算装置",
    "a_versions": "バージョン",
    "a_seconds": "計算時間",
    "seconds": "{seconds}秒",
    "a_date": "日付",
    "date_none": "記録していません。同じ実行がいつも同じ報告書になるようにするためです",
    # くり返し方と、中身
    "repeat_text": "次のコマンドで、同じバージョンと同じ種類の計算装置なら、数の1つ1つまで同じ実行をくり返せます。"
    "ファイルはだれでも書き換えられるので、この報告書を確かめるにはこの方法を使ってください。",
    "repeat_folder": "画像のあるフォルダを--data-dirで加えてください。",
    "inside_none": "このファイルには、画像もラベルも更新も入っていません。あるのは設定と、数えた結果と、"
    "そこから分かることだけです。",
    "inside_images": "このファイルには、設定と数えた結果のほかに、印が付けられたため、"
    "ペアの計算に使った画像が入っています。このファイルを持つ人には見えます。更新は入っていません。",
    "inside_own": "これはあなた自身の画像です。",
    "inside_data": "これは{dataset}の画像です。",
    "inside_file": "インターネットは要りません。中でプログラムが動くことも、外から何かを読み込むこともありません。",
    "image_alt": "ペア{number}の更新{side}の計算に使った画像",
} | REPORT_CHECK
