"""日本語: いくつかのページに出る名前と設定。"""

from ldp_core.words import attacks, distinguishers, mechanisms

# 攻撃と推測ルール
ATTACK = "攻撃"
ATTACK_HELP = "どの攻撃も、それぞれの方法で更新Aと更新Bを用意します。"
ATTACK_RECOMMENDED = "最初のテストにおすすめです。"
ATTACK_MARK = "・おすすめ"
ATTACK_OTHERS = "すべての攻撃（だれが不正をするかで分けて）"
ATTACK_GROUPS = {
    "nobody": "だれも不正をしない",
    "data": "あなたのデータに触れる人が不正をする",
    "app": "アプリを作った人、または書き換えた人が不正をする",
    "both": "サーバとアプリを作った人がいっしょに不正をする",
}
ATTACKS = attacks("ja")
CARD_TITLE = "攻撃について: {attack}"
CARD_ROWS = ("だれが加わる必要があるか", "何を変えるか", "どれくらい現実的か", "約束にどれだけ近づくか")
CARD_PAPER = "論文の測定では、ε = {epsilon}で{share}でした。約束が許すのは{promise}です。"
CARD_SELECTIVE = (
    "このルールは、ほぼ確信したときだけ答えます。更新の長さがクリッピング長以上の攻撃なら、"
    "だれも不正をしない場合も含めて、εが許す分をすべて使えます。"
)
CARD_BLACK = "この攻撃者は共有モデルだけを見ます。どこまで近づくかを示す計算式はありません。実行して確かめてください。"
DISTINGUISHERS = distinguishers("ja")
SEES = {"white": "あなたの送信データを見る", "black": "共有モデルだけを見る"}
RULE_UNFIT = (
    "推測ルール「{rule}」は、ここでは意味がありません。理由: {reason}。"
    "別の推測ルール、攻撃、クライアント数を選んでください。"
)
RULE_UNFIT_SIMULATION = (
    "推測ルール「{rule}」はモデル全体を見ますが、模擬計算ではモデルを作りません。「本物の送信データ」を選んでください。"
)
MECHANISM_UNFIT = (
    "この仕組みは、LDP-SGDとは別の種類のランダムな変化を加えます。送信データを見る推測ルールと「本物の送信データ」を選ぶか、"
    "LDP-SGDを選んでください。"
)
DISTINGUISHER = "推測ルール"
DISTINGUISHER_HELP = (
    "「毎回答える」は、送信データに方向が近いほうの更新を選びます。「ほぼ確信したときだけ答える」は、"
    "はっきり分かるわずかな送信データでだけBと言い、それ以外ではAと言います。平均すると隠れてしまう漏れを見つけます。"
    "ほかのルールは送信データを見ません。ラウンドの前と後の共有モデルを見ます。"
)
DISTINGUISHER_ACCESS = "この攻撃者が知っている必要があるもの: {access}。"
CLIENTS = "ラウンドのクライアント数"
CLIENTS_HELP = (
    "サーバがこの台数の端末の送信データを混ぜてから、モデルがほかの人に見えるようになります。"
    "ほかの端末は正直で、それぞれ自分の画像を持っています。"
)
RADIUS = "モデルの長さの上限"
RADIUS_HELP = "論文では‖C‖と書かれています。どれくらいの大きさだったかは書かれていません。"
RADIUS_NOTE = (
    "サーバはモデルの長さをこれより小さく保ちます。空欄なら、サーバが配ったモデルの長さの3倍です。"
    "大きくするとサーバの1ステップが大きくなり、損失を比べる攻撃者に分かることは減ります。"
)
RADIUS_EMPTY = "モデルの長さの3倍"
STRENGTH = "攻撃の強さ"
STRENGTH_HELP = (
    "画像をどれだけ加工するか、モデルをどれだけ巻き戻すか（論文のα、アルファ）、または作りものの更新の長さが"
    "クリッピング長の何倍かです。論文では1です。"
)
ADVANCED = "詳細設定"
DATASET = "画像"
DATASET_HELP = "内蔵の数字はダウンロードが要りません。ほかの画像は、この端末のフォルダから読むか、ダウンロードします。"
DATASETS = {
    "digits": "手書き数字（内蔵）",
    "mnist": "MNIST（手書き数字）",
    "fashion-mnist": "Fashion-MNIST（衣類）",
    "cifar10": "CIFAR-10（カラー写真）",
    "svhn": "SVHN（番地の数字）",
    "own": "自分の画像",
}
DATA_PLACES = {
    "mnist": ("MNIST/raw", 12),
    "fashion-mnist": ("FashionMNIST/raw", 31),
    "cifar10": ("cifar-10-batches-py", 171),
    "svhn": ("train_32x32.matとtest_32x32.mat", 247),
}
DATA_DIR = "{places}のあるフォルダ"
DATA_DIR_HELP = "この端末のフォルダです。空欄なら、このプログラムのキャッシュ用フォルダを使います。"
DOWNLOAD = "{names}がなければダウンロードする"
DOWNLOAD_HELP = "インターネットから約{size} MBを取得します。ここに印を付けないかぎり、何も取得しません。"
OWN_FOLDER = "自分の画像のフォルダ（または.zipファイル）"
OWN_FOLDER_HELP = "ラベルごとに1つの子フォルダを作ります（例: 猫、犬）。画像は20枚以上、ラベルは2つ以上必要です。"
OWN_UPLOAD = "または、そのフォルダの.zipファイル"
OWN_NOTE = (
    "あなたの画像は、この端末の中で、このプログラムのメモリに読み込まれ、実行が終わると捨てられます。"
    "どこにも送られず、保存もされません。"
)
OWN_MISSING = "自分の画像のフォルダを指定するか、.zipファイルを選んでください。"
TRAINING = "共有モデルをどこまで学習するか"
TRAINING_HELP = "学習したモデルは、よく知っている画像では更新が短くなり、見分けにくくなります。"
TRAININGS = {"none": "学習しない", "light": "軽く（画像100枚中85枚が正解）", "full": "十分に（20周）"}
CLIP_NORM = "クリッピング長"
CLIP_NORM_HELP = "長い更新はこの長さに縮めます。短い更新では、ランダムな変化が大きくなります。論文では1です。"
CONFIDENCE = "信頼度（%）"
CONFIDENCE_HELP = "95なら、本当の値が範囲から外れるのは、100回の実行で多くても5回です。高くすると範囲が広くなります。"
TRIALS = "1ペアあたりの推測回数"
TRIALS_HELP = "増やすと範囲が狭くなり、より大きな漏れを示せます。時間も同じ割合で増えます。"
MEASUREMENTS = "ペアの数"
MEASUREMENTS_HELP = "ペアごとに新しい更新Aと更新Bを作ります。論文では10です。"
SEED = "シード"
SEED_HELP = "同じシードなら、推測の1回1回まで同じ実行になります。空欄なら毎回新しくなり、結果といっしょに表示します。"
SEED_EMPTY = "毎回新しく"
SAMPLING = "送信データの作り方"
SAMPLING_HELP = (
    "「本物の送信データ」は、あなたの端末と同じように、すべての送信データを作ります。「模擬計算」は、"
    "この仕組みについての計算式から、攻撃者が見るわずかな数だけを作ります。速い代わりに、"
    "仕組みの誤りは見つけられません。"
)
SAMPLINGS = {"full": "本物の送信データ", "projected": "このプログラムの仕組みの模擬計算"}
UNUSED_IMAGES = "作りものの更新は画像を使いません。ここでは画像と学習は関係しません。"
MECHANISM = "ランダム化の仕組み"
MECHANISM_HELP = "あなたの端末でランダムな変化を加える部品です。"
MECHANISMS = mechanisms("ja")
RUN = "テストする"
RUN_AGAIN = "この設定でテストする"

# 端末、ネットワーク、サーバの図。改行から後は2行目になる
BOUNDARY_TITLE = "ランダムな変化を加える場所"
BOUNDARY_ZONES = ("あなたの端末", "通信", "サーバ")
BOUNDARY_PARTS = {
    "images": "画像",
    "labels": "ラベル",
    "parameters": "モデル",
    "gradient": "更新",
    "randomness": "ランダムに変える",
    "reports": "多くの端末の\n送信データ",
    "server": "共有モデル",
}
BOUNDARY_REPORT = "送信データ"
BOUNDARY_TOUCHED = "この攻撃が変えるもの"
BOUNDARY_WATCHED = {
    "white": "攻撃者はあなたの送信データを見ます",
    "black": "攻撃者は共有モデルだけを見ます",
}
BOUNDARY_AND = "、"
BOUNDARY_ALT = (
    "あなたの端末で、画像とそのラベルと共有モデルから更新ができます。そこでランダムな変化が加わります。"
    "ネットワークを通るのは送信データだけです。サーバは、多くの端末の送信データから次の共有モデルを作ります。"
)
BOUNDARY_ALT_TOUCHED = "この攻撃が変えるもの: {parts}。"
